"""Fixtures that several test files share."""

import pytest

from models.encoder import Encoder, EncoderSettings


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """The default encoder, real, converted into the user's own cache at the first run."""
    from models.loading import load_encoder

    return load_encoder(EncoderSettings())
