// What modules of the film hand to each other, beside what is in ../types.d.ts.
import type { Columns, HeadState, Site, Ui } from "../types";

/** [step, value] as the run reported it. */
export type Point = [number, number];

export interface Milestone {
  step: number;
  trace_id: string;
  output: Columns;
  finished: boolean;
  loss: number | null;
  sites: Site[];
}

/** What is told of a film (viz/inspector/film.py). */
export interface FilmMeta {
  film_id: string;
  weight_error: number;
  source: Columns;
  read: Columns;
  written: Columns;
  milestones: Milestone[];
  /** Of each part by its name: points of each score by its name. */
  validation: Record<string, Record<string, Point[]>>;
  training: Record<string, Point[]>;
  ui: Ui;
}

/** What is chosen of a film. Milestones are named by their index. */
export interface Settled extends Pick<HeadState, "kind" | "layer" | "head" | "step" | "pinned" | "stretch"> {
  speed: number;
  loop: boolean;
  milestone: number;
  compare: number;
  view: "maps" | "difference";
}

/** The state of a film. */
export type FilmState = HeadState & Settled;

interface Drawn {
  name: string;
  title: string;
  print(value: number): string;
  /** End of the axis, 0 for the largest value. */
  most: number;
  /** Other heads have such a curve, too. */
  trait?: boolean;
  model?: boolean;
}

/** With one value a milestone. */
interface Valued extends Drawn {
  values: (number | null)[];
  points?: undefined;
}

/** With what was reported at steps of its own. */
interface Reported extends Drawn {
  values?: undefined;
  points: Point[];
}

export type Chart = Valued | Reported;
