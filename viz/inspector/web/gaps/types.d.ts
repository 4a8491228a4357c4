// What modules of the gaps hand to each other, beside what is in ../types.d.ts.
import type { Columns, NextEntry, Ui } from "../types";

export type Context = "before" | "after" | "both";

/** The gaps of a text as one model fills them (viz/inspector/gaps.py). */
export interface Filled {
  model: string;
  context: Context;
  /** Of each token between start and end, in its place. */
  next: NextEntry[];
}

export interface GapsMeta {
  gaps_id: string;
  /** All that is read, start and end included. */
  tokens: Columns;
  models: Filled[];
  ui: Ui;
}

/** Counts from 0 among the tokens between start and end. */
export interface GapsState {
  gap: number;
}
