declare module 'sherpa-onnx-node' {
  interface Result {
    text: string;
    lang: string;
    tokens: string[];
    timestamps: number[];
    durations?: number[];
    segment_texts?: string[];
    segment_timestamps?: number[];
    segment_durations?: number[];
  }
  interface OfflineStream {
    acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void;
  }
  class OfflineRecognizer {
    constructor(config: object);
    setConfig(config: object): void;
    createStream(): OfflineStream;
    decode(stream: OfflineStream): void;
    getResult(stream: OfflineStream): Result;
  }
  const sherpa: { OfflineRecognizer: typeof OfflineRecognizer };
  export default sherpa;
}
