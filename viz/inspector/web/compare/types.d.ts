// What modules of the pair hand to each other, beside what is in ../types.d.ts.
import type { HeadState, Kind, Meta, Token, Ui } from "../types";
import type { Model } from "../data/model.js";
import type { Words } from "../views/units.js";
import type { Both } from "./both.js";

/** Pairs [in the first, in the second] of the tokens of an axis, -1 where one has no such token. */
export type Pairs = number[][];

/** How tokens belong together (viz/inspector/pair.py). */
export type Alignment = Record<"source" | "read" | "written", Pairs>;

/** What is told of a pair (viz/inspector/pair.py). */
export interface PairMeta {
  traces: Omit<Meta, "ui">[];
  alignment: Alignment;
  /** The same of words. */
  words: Alignment;
  ui: Ui;
}

/** Two traces as they are shown: in pieces, or in words. */
export type Seen = Both<Model> | Both<Words>;

/** What is chosen of a pair. Counts from 0. */
export interface Settled extends Pick<HeadState, "kind" | "layer" | "head" | "pinned" | "stretch"> {
  words: boolean;
  /** Layer and head of the second, null where they are the first's. */
  other: number[] | null;
}

/** Every row is shown: `step` is null. */
export interface PairState extends HeadState, Settled {
  words: boolean;
  other: number[] | null;
  /** The side that is pointed at. */
  over: number;
}

/** What is chosen as Python and the URL know it. Counts from 1. */
export type PairSelection = {
  kind: Kind;
  layer: number;
  head: number;
  other: string;
  pinned: number[] | null;
  place: string | null;
  words: string | null;
  stretch: string | null;
};

/** A cell of one of the two traces. */
export interface Cell {
  value: number;
  status: string;
  open: boolean;
}

/** The cell that is read, in both; null where one has no such cell. */
export interface Facts {
  places: number[];
  query: Token;
  key: Token;
  numbers: (Cell | null)[];
}
