// The colours of the puzzle language. The server makes the rules from the grammar: contexts, which can be nested. A line
// is read from left to right. The contexts that are open at its end are open in the next line.

/** Return a pattern of Python as one of JavaScript: with letters of all languages, and without needless escapes. */
function pattern(text) {
  let found = "";
  let inside = false;
  for (let k = 0; k < text.length; k++) {
    let sign = text[k];
    if (sign === "\\") {
      const next = text[++k];
      if (next === "w") sign = inside ? "\\p{L}\\p{N}_" : "[\\p{L}\\p{N}_]";
      else if (next === "W" && inside) sign = "\\P{L}";
      else if (next === "W") sign = "[^\\p{L}\\p{N}_]";
      else if (/[-&#"'~%<>=!,:;@ ]/.test(next)) sign = inside && next === "-" ? "\\-" : next;
      else sign = `\\${next}`;
    } else if (sign === "[") inside = true;
    else if (sign === "]") inside = false;
    found += sign;
  }
  return new RegExp(found, "uy");
}

export class Highlighter {
  constructor(contexts) {
    this.given = contexts;
    this.contexts = new Map();
  }

  /** The rules of a context. The rules of a named context replace its name. */
  context(name) {
    let found = this.contexts.get(name);
    if (!found) {
      const { rules, end, role } = this.given[name];
      found = { end: end ? pattern(end) : null, role, rules: [] };
      this.contexts.set(name, found);
      for (const rule of rules) {
        if (typeof rule === "string") found.rules.push(...this.context(rule).rules);
        else found.rules.push({ pattern: pattern(rule[0].replaceAll("[^\\W\\d]", "\\p{L}")), roles: rule[1], opens: rule[2] });
      }
    }
    return found;
  }

  /** Return the parts of a line as [text, role], and the contexts that are open after it. */
  line(text, open) {
    const stack = [...open];
    const pieces = [];
    let plain = "";
    const add = (part, role) => {
      if (!part) return;
      if (plain) pieces.push([plain, ""]);
      plain = "";
      pieces.push([part, role]);
    };
    let at = 0;
    for (let steps = 0; at <= text.length && steps < 4 * text.length + 64; steps++) {
      const context = this.context(stack[stack.length - 1]);
      const match = (expression) => {
        expression.lastIndex = at;
        return expression.exec(text);
      };
      const end = context.end && stack.length > 1 ? match(context.end) : null;
      if (end) {
        add(end[0], context.role);
        at += end[0].length;
        stack.pop();
        continue;
      }
      if (at === text.length) break;
      let found = null;
      const rule = context.rules.find((candidate) => (found = match(candidate.pattern)) && found[0]);
      if (rule) {
        found.slice(1).forEach((part, k) => add(part, rule.roles[k]));
        at += found[0].length;
        if (rule.opens) stack.push(rule.opens);
      } else {
        const sign = String.fromCodePoint(text.codePointAt(at));
        plain += sign;
        at += sign.length;
      }
    }
    if (plain) pieces.push([plain, ""]);
    if (at < text.length) pieces.push([text.slice(at), ""]);
    return [pieces, stack];
  }
}
