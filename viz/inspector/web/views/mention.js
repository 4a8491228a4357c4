// @ts-check
// A token as a sentence names it: a sign alone would read as one of the sentence's own.
import { h, tokenNode } from "./dom.js";
import { isSign, visible } from "../data/text.js";

/** @import { Token } from "../types" */

/** @param {Token} token */
export function mentioned(token) {
  const node = tokenNode(token);
  return isSign(visible(token.text)) ? h("span", {}, "“", node, "”") : node;
}
