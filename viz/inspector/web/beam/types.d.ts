// What the beam is given, and how it keeps it.
import type { Columns, Hook, Wanted, Words } from "../types";

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
  language: string;
  text: Words;
}

export interface Row {
  place: number;
  path: number[];
  from: number;
  rank: number;
}

/** What Streamlit hands to a mounted beam. */
export interface Component {
  parentElement: HTMLElement & { headlight?: Omit<Hook, "state"> };
  data: { meta: Search & { selection: { hypothesis?: number; turn?: number } } };
  setStateValue?(name: string, value: Wanted): void;
  setTriggerValue?(name: string, value: unknown): void;
}
