/** Maximum length of the input video in seconds, by the type of the task (section 8). */
export const maxInputSeconds = {
  'video-to-shorts': 5 * 60 * 60,
  'video-to-video': 15 * 60,
} as const;
