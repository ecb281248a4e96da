/** The measured settings for the choice of moments: see docs/engine-moments.md. */
export interface ScoreSettings {
  /**
   * The weight of each feature of the content. The weights of missing features go to the others.
   */
  weights: Readonly<Record<string, number>>;
  /**
   * The weights of the score that people see, where they differ. Laughter follows banter, so the
   * fitted weights choose lively clips; what a person would post first says something.
   */
  shownWeights: Readonly<Record<string, number>>;
  /** Needs of every clip, whatever it is about. A clip without it loses this share of its score. */
  needs: Readonly<Record<string, number>>;
  /**
   * A clip that begins or ends in the middle of a turn is worth this share: less if the turns are
   * only likely, because the likeliest ones must then stand out.
   */
  withinTurn: { marked: number; likely: number };
  /** The exponent of how sure a sentence ends at an edge, in text without stops. */
  edgeDoubt: number;
  /**
   * The exponent of the certainty that no one else speaks within a long speech, if turns are only
   * likely.
   */
  floorDoubt: number;
}

export const settings: ScoreSettings = {
  // Those of conversations were fitted: docs/engine-moments.md.
  weights: {
    hook: 0.1,
    substance: 0.3,
    question: 0.03,
    number: 0.03,
    contrast: 0.03,
    loudness: 0.1,
    reaction: 0.6,
    pace: 0.05,
    unity: 0.1,
    speech: 0.06,
    movement: 0.1,
    emphasis: 0.06,
    brevity: 0.18,
    person: 0.11,
    exchange: 0.25,
    reply: 0.04,
    density: 0.25,
  },
  shownWeights: { exchange: 0, reply: 0, brevity: 0, emphasis: 0, density: 0.4, focus: 0.5 },
  needs: {
    opening: 0.9,
    ending: 0.9,
    answer: 0.4,
    thought: 0.85,
    purpose: 0.4,
    subject: 0.95,
    length: 0.5,
  },
  withinTurn: { marked: 0.3, likely: 0.1 },
  edgeDoubt: 3,
  floorDoubt: 0.8,
};
