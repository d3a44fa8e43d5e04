// A wide block of code or table scrolls, so the keyboard must reach it. An empty corner of a table is not a header.
// The theme puts each button to copy in a landmark. Screen readers would list dozens of landmarks without a name.
"use strict";

function corrected() {
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.setAttribute("role", "none");
  for (const wide of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) wide.scrollWidth > wide.clientWidth ? (wide.tabIndex = 0) : wide.removeAttribute("tabindex");
  for (const corner of document.querySelectorAll("th:empty")) corner.replaceWith(document.createElement("td"));
}

window.addEventListener("resize", corrected);
new MutationObserver(corrected).observe(document.body, { childList: true, subtree: true });
corrected();
