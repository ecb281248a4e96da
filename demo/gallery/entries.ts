import type { VideoToShortsInput, VideoToVideoInput } from 'clip-kit/contract';

/** A picture size that is quick to make and still sharp on a page. */
const upright = { width: 720, height: 1280 } as const;

type TaskRequest =
  | { type: 'video-to-shorts'; body: Omit<VideoToShortsInput, 'source_video_url'> }
  | { type: 'video-to-video'; body: Omit<VideoToVideoInput, 'source_video_url'> };

/** One source, and what the service makes of it. */
export interface GalleryEntry {
  /** a-z, 0-9 and `-`; used in file names and as the entry's id on the page. */
  id: string;
  title: string;
  /** What the engine does with it and why, in one or two sentences. */
  says: string;
  /** A video of `videos.ts`, or the demo's sample video. */
  source: string;
  task: TaskRequest;
  /** The exports of the clip: one, or one for each style. */
  exports: readonly { label: string; preset_id?: string; watermark?: boolean }[];
  /** Whether source and clip have the same time, so that they can play in sync. */
  inStep: boolean;
  /** The times of the still pictures, in seconds of the source and of the clip. */
  stills: { source: number; clip: number };
}

const plain = [{ label: 'Clip' }] as const;

export const entries: readonly GalleryEntry[] = [
  {
    id: 'walk',
    title: 'It walks along',
    says: 'An upright window is a third as wide as the picture. It follows who is in it: still while she stands, even while she walks, under way a little before she is.',
    source: 'walk',
    task: {
      type: 'video-to-video',
      body: { name: 'A walk', language: 'en', editing_options: {}, dimensions: upright },
    },
    exports: plain,
    inStep: true,
    stills: { source: 4.3, clip: 4.3 },
  },
  {
    id: 'talk',
    title: 'A conversation, cut by cut',
    says: 'Each shot is framed for itself, to the frame. Two people who do not fit side by side stand one above the other.',
    source: 'talk',
    task: {
      type: 'video-to-video',
      body: {
        name: 'Why cats purr',
        language: 'en',
        style_preset_id: 'card',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 1.6, clip: 1.6 },
  },
  {
    id: 'interview',
    title: 'Two people, one picture',
    says: 'Nobody cuts from one to the other, so the engine does: the window is on the one whose mouth moves with the voice, and changes between two turns.',
    source: 'interview',
    task: {
      type: 'video-to-video',
      body: {
        name: 'Nine years on an island',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 4, clip: 4 },
  },
  {
    id: 'close-up',
    title: 'A face at the edge',
    says: 'A face that fills the height, and is not whole in the picture, is searched for in a small copy. The window stays on what is there of it.',
    source: 'close-up',
    task: {
      type: 'video-to-video',
      body: {
        name: 'The lighthouse',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 2, clip: 2 },
  },
  {
    id: 'lesson',
    title: 'A slide, and who explains it',
    says: 'Text is seen by its strokes, and no line of it is cut: the whole slide stands above, the speaker of the webcam below.',
    source: 'lesson',
    task: {
      type: 'video-to-video',
      body: {
        name: 'Sleep on it',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 3, clip: 3 },
  },
  {
    id: 'tab',
    title: 'A recorded tab',
    says: 'Screen recorders store a picture only where something changes. The clip shows each page from the instant it came up, and cuts no line of it.',
    source: 'tab',
    task: {
      type: 'video-to-video',
      body: {
        name: 'Three buttons',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 4.5, clip: 4.5 },
  },
  {
    id: 'captioned',
    title: 'Captions of its own',
    says: 'Text that comes and goes low in the picture, with the voice, is what the source captions itself with. Nothing is written over it.',
    source: 'captioned',
    task: {
      type: 'video-to-video',
      body: {
        name: 'Four things',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 2.5, clip: 2.5 },
  },
  {
    id: 'hall',
    title: 'A small face in a wide hall',
    says: 'A face of a tenth of the height is still found, about once a second and at cuts, and followed in between.',
    source: 'hall',
    task: {
      type: 'video-to-video',
      body: {
        name: 'The last row',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 4, clip: 4 },
  },
  {
    id: 'title-card',
    title: 'A title from edge to edge',
    says: 'No window of an upright clip holds it, so the whole picture is shown, down to the small print. The cut to a person ends that.',
    source: 'title-card',
    task: {
      type: 'video-to-video',
      body: {
        name: 'The clock of Kettlewick',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 2, clip: 2 },
  },
  {
    id: 'flag',
    title: 'Stars are no letters',
    says: 'A pattern with the edges of letters is not read as text: the window stays on the one who speaks, not on the flag.',
    source: 'flag',
    task: {
      type: 'video-to-video',
      body: {
        name: 'The first flag',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 2, clip: 2 },
  },
  {
    id: 'from-behind',
    title: 'Nobody’s face',
    says: 'Where no face is found, a network looks for persons, and the window follows her as it would follow a face.',
    source: 'from-behind',
    task: {
      type: 'video-to-video',
      body: {
        name: 'The red coat',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 3, clip: 3 },
  },
  {
    id: 'lakeside',
    title: 'Nothing to follow',
    says: 'Mountains from edge to edge have no subject, and a window would lose most of them. So the whole picture stands on a blurred ground of itself; the export carries a watermark.',
    source: 'lakeside',
    task: {
      type: 'video-to-video',
      body: {
        name: 'Six in the morning',
        language: 'en',
        style_preset_id: 'story',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: [{ label: 'Clip', watermark: true }],
    inStep: true,
    stills: { source: 4.6, clip: 4.6 },
  },
  {
    id: 'joke',
    title: 'The audience decides',
    says: 'Laughter and applause are heard in the sound, or read in the subtitles. They pull the choice to what came before them, and the clip ends after them.',
    source: 'joke',
    task: {
      type: 'video-to-shorts',
      body: {
        name: 'An evening of talks',
        language: 'en',
        target_clip_count: 1,
        max_clip_count: 1,
        min_duration: 10,
        max_duration: 16,
        target_duration: 14,
        editing_options: { emojis: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: false,
    stills: { source: 20.2, clip: 12.4 },
  },
  {
    id: 'pauses',
    title: 'Pauses taken out',
    says: 'Silences go, but for a breath of 0.12 s on either side, and never a part of a word. Picture, sound and captions are cut at the same instants.',
    source: 'pauses',
    task: {
      type: 'video-to-video',
      body: {
        name: 'The pause',
        language: 'en',
        editing_options: { remove_silences: true },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: false,
    stills: { source: 4.6, clip: 2.6 },
  },
  {
    id: 'dusk',
    title: 'More light than a screen has',
    says: 'High dynamic range is turned into the colours of a usual screen. The still picture of the source shows it as a program does that does not know it: grey.',
    source: 'dusk',
    task: {
      type: 'video-to-video',
      body: {
        name: 'Lamp and lake',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 2, clip: 2 },
  },
  {
    id: 'ten-bits',
    title: 'Ten bits of each colour',
    says: 'Cameras store finer steps than screens show. They are turned into 8 bits before the window is cut, so colours stay in their place wherever the window is.',
    source: 'ten-bits',
    task: {
      type: 'video-to-video',
      body: {
        name: 'The red coat',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 2, clip: 2 },
  },
  {
    id: 'archive',
    title: 'An old tape',
    says: 'Old cameras recorded odd and even rows one after the other, so what moves has combs on its edges. The clip has whole pictures.',
    source: 'archive',
    task: {
      type: 'video-to-video',
      body: {
        name: 'A tape of 1994',
        language: 'en',
        editing_options: { emojis: false, intro_title: false },
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 3, clip: 3 },
  },
  {
    id: 'coffee',
    title: 'From right to left',
    says: 'Captions in any script that a font is there for; each line takes its direction from its own letters. The mark walks from right to left, on the word that is being said.',
    source: 'coffee',
    task: {
      type: 'video-to-video',
      body: {
        name: 'قهوة',
        language: 'ar',
        editing_options: {},
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: true,
    stills: { source: 4.4, clip: 4.4 },
  },
  {
    id: 'styles',
    title: 'One clip, four styles',
    says: 'Typeface, colours, the mark on the spoken word, place and movement come from a style preset. A clip is planned once; each export may have another style.',
    source: 'styles',
    task: {
      type: 'video-to-video',
      body: {
        name: 'Say it with style',
        language: 'en',
        editing_options: { intro_title: false },
        dimensions: upright,
      },
    },
    exports: [
      { label: 'Punch', preset_id: 'punch' },
      { label: 'Glow', preset_id: 'glow' },
      { label: 'Card', preset_id: 'card' },
      { label: 'Story', preset_id: 'story' },
    ],
    inStep: true,
    stills: { source: 1.5, clip: 1.5 },
  },
  {
    id: 'moment',
    title: 'The best moment of two minutes',
    says: 'Here the service chooses. It scores every segment of the requested length that begins and ends with a sentence, picks the one with the highest score, and shows how the score was made up. The source plays from its own start.',
    source: 'sample',
    task: {
      type: 'video-to-shorts',
      body: {
        name: 'Four small ideas',
        language: 'en',
        target_clip_count: 1,
        max_clip_count: 1,
        min_duration: 12,
        max_duration: 25,
        target_duration: 18,
        dimensions: upright,
      },
    },
    exports: plain,
    inStep: false,
    stills: { source: 3, clip: 6 },
  },
];
