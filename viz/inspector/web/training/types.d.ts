// What a run tells (viz/jobs/run_events.py), and what the Train page's modules hand to each other.
// Read by the TypeScript compiler alone.
import type { Hook, Kind, Meta, Selection, Theme, Words } from "../types";

export type RunState = "starting" | "running" | "stopping" | "stopped" | "failed" | "lost" | "finished";

/** A run as its folder tells of it, and as one visitor is told of it (viz/jobs/runs.py). */
export interface Run {
  id: string;
  state: RunState;
  stoppable: boolean;
  resumable: boolean;
  removable: boolean;
  model: string | null;
}

// Events of a run (core/training/events.py). A number that is not finite comes as null.

export interface DataRead {
  event: "dataread";
  name: string;
  rows: number;
  bad: number;
  /** By language. */
  bad_rows: Record<string, string[]>;
  repeated: number;
  leaked: number;
  too_long: number;
  unshown: number;
  train: number;
  valid: number;
  test: number;
  single: boolean;
}

export interface Started {
  event: "started";
  step: number;
  steps: number;
  parameters: number;
  vocabulary: number;
  pairs: number;
  device: string;
  processes: number;
  precision: string | null;
  gain: number | null;
}

export interface Progress {
  event: "progress";
  step: number;
  loss: number | null;
  tokens_per_second: number;
  learning_rate: number | null;
  gradient_norm: number | null;
  seconds_left: number;
}

export interface Scores {
  loss: number | null;
  /** null of labels, which are right or wrong. */
  bleu: number | null;
  chrf: number | null;
  /** null of language models. */
  exact: number | null;
  pairs: number;
}

export interface Sample {
  source: string;
  reference: string;
  output: string;
}

export interface Validated {
  event: "validated";
  step: number;
  scores: Record<string, Scores>;
  samples: Sample[];
}

export interface Best {
  event: "best";
  step: number;
  loss: number | null;
}

/** How it ended last: why it failed by language, or why it is finished. */
export interface Ended {
  event: "stopped" | "failed" | "finished";
  step: number;
  said?: Words;
  reason?: string;
}

/** Of the others the step is read alone. */
export interface At<Name> {
  event: Name;
  step: number;
}

export type RunEvent =
  | DataRead
  | Started
  | Progress
  | Validated
  | Best
  | Ended
  | At<"saved">
  | At<"milestone">
  | At<"fellback">;

/** What is new of a run; `from` and `next` are bytes of its events. */
export interface Reply extends Run {
  command: boolean;
  read: boolean;
  from: number;
  next: number;
  events: RunEvent[];
  /** [source, reference], "" where there is none. */
  pairs: string[][];
}

/** What a milestone makes of a sentence (viz/server/run_routes.py). */
export interface Snapshot {
  meta: Omit<Meta, "ui">;
  array: Uint8Array;
  /** The head that points most, [layer, head] from 0, by kind. */
  focus: Record<string, number[]>;
  translation: string;
}

/** A step and the value there, null where it cannot be said. */
export type Point = [number, number | null];

/** Which head is in view. */
export type HeadAt = Pick<Selection, "kind" | "layer" | "head">;

/** An element that tells tests what is drawn in it. */
export type Hooked = HTMLElement & { headlight?: Hook };

/** What Streamlit calls a component of this folder with. */
export interface Component<Data> {
  data: Data;
  parentElement: Hooked;
  setStateValue?(name: string, value: unknown): void;
  setTriggerValue?(name: string, value: unknown): void;
}

/** What Python gives the Train page (viz/screens/train.py). */
export interface PageData {
  language: string;
  text: Words;
  inspector: Words;
  chosen: string;
  runs: Run[];
  sentence: string;
}

/** What the parts of the page may ask of it (main.js). */
export interface Training {
  words: Words;
  /** The inspector's words. */
  inspector: Words;
  language: string;
  /** The one that was typed before, "" for none. */
  sentence: string;
  sizes: import("../views/sizes.js").Sizes;
  theme: Theme;
  setStateValue(name: string, value: unknown): void;
  command(name: string, more?: Record<string, string>): void;
  /** There is no such run any more. */
  gone(run: string): void;
}

/** What the parts of one run may ask beside that (panel.js). */
export interface Watching extends Training {
  run: string;
  draw(): void;
  /** Chooses the milestone nearest to a step. */
  pick(step: number): void;
  /** Shows the attention of a sample. */
  look(sentence: string): void;
}

/** The same for the pictures of the milestones (attention.js). */
export interface Filmed extends Watching {
  snapshots: import("./snapshots.js").Snapshots;
  /** From 0. */
  head(): { kind: Kind; layer: number; head: number } | null;
}
