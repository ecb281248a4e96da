/** What `clip-engine --help` prints. */
export const help = `clip-engine: short vertical clips from a long video.

Usage
  clip-engine cut VIDEO [options]          find the best clips of a video, and render them
  clip-engine moments SUBTITLES [options]  find the best moments of a WebVTT or SRT file
  clip-engine probe VIDEO [--json]         show what a video file contains
  clip-engine speech-model NAME            download a model that recognises speech, such as base
  clip-engine version                      print the version

VIDEO is a file, or the http(s) address of one. Subtitles beside it (same name, .vtt or .srt) or inside it are used.

Options of cut and moments
  --count N           number of clips, 1 to 100 (10)
  --min, --max SECONDS  length of a clip, 1 to 120 and 1 to 180 (8, 180)
  --target SECONDS    preferred length of a clip, 1 to 120 (60)
  --language CODE     language of the speech, such as en or pt-BR
  --json              print the result as JSON

Options of cut
  --out DIR           folder for the MP4 files; created if needed (clips)
  --whole             one edit of the whole video instead of clips
  --edit FILE         render this edit.json of the video instead of looking for clips
  --files             write the words, captions, edit and cuts beside each clip
  --width, --height PIXELS  size of the clips, 16 to 4096 (1080, 1920)
  --no-captions, --no-reframe, --no-emojis, --no-intro-title, --remove-silences
  --preset ID         style of captions and title (classic)
  --presets DIR       folder of your own style presets
  --translate-to CODE language of captions, titles and explanations
  --context TEXT      names and words that the speech probably contains
  --name TEXT         title to show if the video has no words; name of an edit
  --watermark IMAGE   a PNG, JPEG, WebP or GIF file, or its address
  --watermark-x, --watermark-y SHARE  its place in the free space, 0 to 1 (0.95, 0.05)
  --watermark-scale FACTOR  factor of its own size (1)
  --quality QUALITY   draft, standard or high (standard)
  --no-faces          do not look for faces
  --allow-private     allow addresses of your own network

Set servers with environment variables: SPEECH_URL, TRANSLATE_URL and RANKING_URL, each with _API_KEY and _MODEL.
Without SPEECH_URL, SPEECH_MODEL is the model that recognises speech on this machine: a name, or a file.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
`;
