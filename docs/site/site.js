// A wide block of code or table scrolls, so the keyboard must reach it. An empty corner of a table is not a header.
// The theme puts each button to copy in a landmark. Screen readers would list dozens of landmarks without a name.
"use strict";

let isWaiting = false;

function corrected() {
  isWaiting = false;
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.setAttribute("role", "none");
  const all = [...document.querySelectorAll("pre > code, .md-typeset__scrollwrap")];
  const wide = new Set(all.filter(block => block.scrollWidth > block.clientWidth));
  for (const block of all) wide.has(block) ? (block.tabIndex = 0) : block.removeAttribute("tabindex");
  for (const { shadowRoot } of document.querySelectorAll("body > div")) if (shadowRoot) correctSearch(shadowRoot);
  for (const corner of document.querySelectorAll("th:empty")) corner.replaceWith(document.createElement("td"));
}

/** The search of the theme is in a shadow tree: its results scroll, and the paths of pages are too pale. */
function correctSearch(root) {
  if (!root.adoptedStyleSheets.length) {
    const style = new CSSStyleSheet();
    style.replaceSync("li:not([role]) { color: rgb(var(--color-foreground) / 0.7); }");
    root.adoptedStyleSheets = [style];
    new MutationObserver(later).observe(root, { childList: true, subtree: true });
  }
  for (const block of root.querySelectorAll("div[tabindex='-1']")) if (block.scrollHeight > block.clientHeight) block.tabIndex = 0;
}

/** Correct the page once before the next picture: the theme changes hundreds of blocks of a long page one by one. */
function later() {
  if (!isWaiting) requestAnimationFrame(corrected);
  isWaiting = true;
}

window.addEventListener("resize", later);
new MutationObserver(later).observe(document.body, { childList: true, subtree: true });
corrected();
