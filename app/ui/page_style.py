"""The look of the page; colours follow the theme, light or dark."""

STYLE = """
<style>
.stMainBlockContainer { max-width: 54rem; padding: clamp(1rem, 4vw, 2.2rem) 1.2rem 4rem; }
.stSegmentedControl button, .stButtonGroup button { min-height: 2.5rem; }
@media (max-width: 30rem) { .stButtonGroup button { padding-inline: .55rem; } }
.bg-head { display: flex; align-items: baseline; gap: .1rem .8rem; flex-wrap: wrap; }
.bg-name { font-size: 1.6rem; font-weight: 700; letter-spacing: -.02em; line-height: 1.2;
  margin: 0 !important; padding: 0 !important; }
.bg-tagline, .bg-count, .bg-about { margin: 0 !important;
  color: color-mix(in srgb, currentColor 66%, transparent); }
.bg-count { font-size: .9rem; }
.bg-about { font-size: .85rem; }
.bg-hit { padding: 1.1rem 0;
  border-top: 1px solid color-mix(in srgb, currentColor 13%, transparent); }
.bg-title { font-size: 1.08rem; line-height: 1.4; font-weight: 600; margin: 0; padding: 0 !important; }
.bg-hit a { color: light-dark(#0b5d74, #7dd3e8); }
.bg-title a, .bg-facts a { text-decoration: none; }
.bg-hit a:hover { text-decoration: underline; }
.bg-hit p { margin: .2rem 0 0; overflow-wrap: anywhere; }
.bg-vernacular { font-size: .98rem; opacity: .85; }
.bg-byline { font-size: .9rem; color: color-mix(in srgb, currentColor 72%, transparent); }
.bg-hit .bg-facts { display: flex; flex-wrap: wrap; gap: .25rem .9rem; align-items: center; font-size: .84rem;
  margin-top: .35rem; }
.bg-badge { border-radius: 1rem; padding: .05rem .6rem; font-size: .78rem;
  background: color-mix(in srgb, currentColor 9%, transparent); }
.bg-retracted, .bg-concern { background: #b42318; color: #fff; font-weight: 600; }
.bg-corrected, .bg-superseded, .bg-preprint { background: #f5c451; color: #3b2a00; }
.bg-retraction-notice, .bg-concern-notice, .bg-erratum-notice { background: #c7d7f5; color: #14294d; }
.bg-hit details { margin-top: .5rem; font-size: .95rem; line-height: 1.55; }
.bg-hit summary { cursor: pointer; list-style: none; }
.bg-hit summary::-webkit-details-marker { display: none; }
.bg-excerpt { display: -webkit-box; -webkit-line-clamp: 4; -webkit-box-orient: vertical; overflow: hidden;
  overflow-wrap: anywhere; }
.bg-open { display: inline-block; font-size: .84rem; font-weight: 600; margin-top: .25rem; opacity: .75; }
.bg-open::after { content: " +"; }
details[open] .bg-open::after { content: " −"; }
details[open] .bg-excerpt { display: none; }
.bg-hit summary:hover .bg-open { opacity: 1; text-decoration: underline; }
.bg-hit .bg-section { margin-top: .6rem; font-size: inherit; }
.bg-label { font-weight: 600; font-size: .84rem; letter-spacing: .02em; }
.bg-hit b { font-weight: 650; }
.bg-title b { font-weight: inherit; text-decoration: underline dotted .08em; text-underline-offset: .2em; }
.bg-hit mark { color: inherit; border-radius: .2rem; padding: .05em 0;
  background: color-mix(in srgb, #facc15 34%, transparent); }
.bg-notice { padding: 1rem 1.2rem; border-radius: .6rem; overflow-wrap: anywhere;
  background: color-mix(in srgb, currentColor 7%, transparent); }
</style>
"""
