"""Inline markup and formulas as plain text."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from indexer.sources.markup import flatten

MML = 'xmlns:mml="http://www.w3.org/1998/Math/MathML"'


def plain(inner: str) -> str:
    return flatten(etree.fromstring(f"<AbstractText {MML}>{inner}</AbstractText>"))


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("", ""),
        (" \n ", ""),
        ("<i>Staphylococcus aureus</i> in <b>children</b>", "Staphylococcus aureus in children"),
        ("<i>p</i> &lt; 0.05 &amp; <u>n</u> = 3", "p < 0.05 & n = 3"),
        ("<b>A<i>B<u>C</u></i></b>D", "ABCD"),
        ("un\u00adtouched", "un\u00adtouched"),
        ("a\u00a0b\u2009c\u202fd\u3000e\n\t f\u2028g", "a b c d e f g"),
        ("1.73 m<sup>2</sup>", "1.73 m²"),
        ("CO<sub>2</sub> and H<sub>2</sub>O<sub>2</sub>", "CO₂ and H₂O₂"),
        ("10<sup>-3</sup> to 10<sup>−4</sup>", "10⁻³ to 10⁻⁴"),
        ("Ca<sup>2+</sup>", "Ca²⁺"),
        ("<sup>13</sup>C, <sup>99m</sup>Tc", "¹³C, 99mTc"),
        ("(<sup>99m</sup>Tc)", "(99mTc)"),
        ("CD4<sup>low</sup>", "CD4^low"),
        ("KRAS<sup>G12V</sup>", "KRAS^G12V"),
        ("10<sup>0.5</sup>", "10^0.5"),
        ("(a+b)<sup>n</sup>", "(a+b)^n"),
        ("ApoE<sup>-/-</sup>", "ApoE-/-"),
        ("drug<sup>®</sup> and drug<sup>TM</sup>", "drug® and drug^TM"),
        ("19<sup>th</sup> century", "19th century"),
        ("V<sub>max</sub>, PM<sub>2.5</sub>, HbA<sub>1c</sub>", "Vmax, PM2.5, HbA1c"),
        ("log10<sub>2.5</sub>", "log10_2.5"),
        ("m<sup> 2 </sup>x", "m ²  x".replace("  ", " ")),
        ("m<sup><i>2</i></sup>", "m²"),
        ("m<sup></sup>n<sub> </sub>o", "mn o"),
        ("T<sub>2</sub><sup>∗</sup>", "T₂∗"),
        ("before<unknown>inside</unknown>after", "beforeinsideafter"),
        ("a<!-- note -->b<?pi x?>c", "abc"),
        ("心筋<i>梗塞</i>、<b>مرض</b>", "心筋梗塞、مرض"),
    ],
)
def test_inline_markup(inner, text):
    assert plain(inner) == text


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("<mml:mi>x</mml:mi>", "x"),
        ("<mml:msup><mml:mi>x</mml:mi> <mml:mn>2</mml:mn></mml:msup>", "x²"),
        ("<mml:msub><mml:mi>T</mml:mi>\n<mml:mn>2</mml:mn></mml:msub>", "T₂"),
        ("<mml:msub><mml:mi>x</mml:mi><mml:mi>i</mml:mi></mml:msub>", "x_i"),
        ("<mml:msubsup><mml:mi>T</mml:mi><mml:mn>2</mml:mn><mml:mo>∗</mml:mo></mml:msubsup>", "T₂∗"),
        (
            "<mml:msup><mml:mrow><mml:mi>a</mml:mi><mml:mo>+</mml:mo><mml:mi>b</mml:mi></mml:mrow>"
            "<mml:mi>n</mml:mi></mml:msup>",
            "(a+b)^n",
        ),
        (
            "<mml:mfrac><mml:mrow><mml:mi>a</mml:mi><mml:mo>+</mml:mo><mml:mi>b</mml:mi></mml:mrow>"
            "<mml:mi>c</mml:mi></mml:mfrac>",
            "(a+b)/c",
        ),
        ("<mml:msqrt><mml:mn>2</mml:mn></mml:msqrt>", "√2"),
        ("<mml:msqrt><mml:mi>a</mml:mi><mml:mo>+</mml:mo><mml:mi>b</mml:mi></mml:msqrt>", "√(a+b)"),
        ("<mml:mroot><mml:mi>x</mml:mi><mml:mn>3</mml:mn></mml:mroot>", "³√x"),
        ("<mml:mover><mml:mi>x</mml:mi><mml:mo>¯</mml:mo></mml:mover>", "x¯"),
        ("<mml:munder><mml:mi>s</mml:mi><mml:mo>¯</mml:mo></mml:munder>", "s¯"),
        (
            "<mml:munderover><mml:mo>∑</mml:mo><mml:mrow><mml:mi>i</mml:mi><mml:mo>=</mml:mo>"
            "<mml:mn>1</mml:mn></mml:mrow><mml:mi>n</mml:mi></mml:munderover>",
            "∑_(i=1)^n",
        ),
        ("<mml:mfenced><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfenced>", "(a,b)"),
        (
            '<mml:mfenced open="[" close="]" separators=";|"><mml:mi>a</mml:mi><mml:mi>b</mml:mi>'
            "<mml:mi>c</mml:mi></mml:mfenced>",
            "[a;b|c]",
        ),
        ("<mml:mi>a</mml:mi><mml:mspace/><mml:mtext> b\u00a0c </mml:mtext>", "a b c"),
        ("<mml:mi>a</mml:mi><mml:mo>\u2062</mml:mo><mml:mi>b</mml:mi>", "ab"),
        (
            "<mml:mmultiscripts><mml:mi>C</mml:mi><mml:mn>2</mml:mn><mml:none/><mml:mprescripts/>"
            "<mml:none/><mml:mn>14</mml:mn></mml:mmultiscripts>",
            "¹⁴C₂",
        ),
        (
            "<mml:mtable><mml:mtr><mml:mtd><mml:mn>1</mml:mn></mml:mtd><mml:mtd><mml:mn>0</mml:mn></mml:mtd>"
            "</mml:mtr><mml:mtr><mml:mtd><mml:mn>0</mml:mn></mml:mtd></mml:mtr></mml:mtable>",
            "1, 0; 0",
        ),
        (
            "<mml:semantics><mml:mi>y</mml:mi><mml:annotation>\\TeX y</mml:annotation></mml:semantics>",
            "y",
        ),
        ("<mml:semantics><mml:mrow/><mml:annotation>z</mml:annotation></mml:semantics>", "z"),
        ("<mml:mfrac><mml:mi>a</mml:mi></mml:mfrac>", "a"),
        ("<mml:msub><mml:mrow/><mml:mn>2</mml:mn></mml:msub>", "₂"),
        ("<mml:mfrac><mml:mrow/><mml:mi>b</mml:mi></mml:mfrac>", "/b"),
    ],
)
def test_formula(formula, text):
    assert plain(f"of <mml:math>{formula}</mml:math>!") == f"of {text}!"


def test_displayed_formula_stands_apart():
    assert plain("as<DispFormula><mml:math><mml:mi>E</mml:mi></mml:math></DispFormula>shows") == "as E shows"


def test_math_without_a_namespace():
    assert plain("<math><msup><mi>m</mi><mn>2</mn></msup></math>") == "m²"


_TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8)
_TAGS = st.sampled_from(["i", "b", "u", "sup", "sub", "DispFormula", "foreign"])


@st.composite
def _markup(draw, depth=3):
    element = etree.Element("AbstractText")
    element.text = draw(_TEXT)
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        child = draw(_markup(depth=depth - 1))
        child.tag = draw(_TAGS)
        child.tail = draw(_TEXT)
        element.append(child)
    return element


_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212"), "-")


def _bare(text):
    """Text without spaces, marks of raising and lowering, and the difference between dashes."""
    decomposed = unicodedata.normalize("NFKD", re.sub(r"[\s^_]", "", text.translate(_DASHES)))
    return re.sub(r"\s", "", decomposed.translate(_DASHES))


@settings(max_examples=300, deadline=None)
@given(_markup())
def test_no_character_of_the_text_is_lost(element):
    text = flatten(element)
    assert _bare(text) == _bare("".join(element.itertext()))
    assert text == " ".join(text.split())
