// What the beam is given, and how it keeps it.
import type { Columns, Ui } from "../types";

/** What is told of a search (viz/inspector/beam.py). A place is one of its nodes. */
export interface Search {
  search_id: string;
  beam: number;
  /** Places of a hypothesis, how many of them an earlier row shows, and its rank, -1 for no answer. */
  rows: [path: number[], from: number, rank: number][];
  parents: number[];
  ids: number[];
  tokens: Columns;
  gains: number[];
  totals: number[];
  scores: number[];
  fates: string[];
  /** Ids of the branch that is open as a trace. */
  shown: number[];
  /** Ids of a text that all hypotheses go on from. */
  given: number[];
  ui: Ui;
}

/** The row that is read, from 0. */
export interface BeamState {
  chosen: number;
}

export interface Row {
  place: number;
  path: number[];
  from: number;
  rank: number;
}
