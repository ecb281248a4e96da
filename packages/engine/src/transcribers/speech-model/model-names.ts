/** A file of whisper.cpp's own models. */
export interface NamedModel {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/**
 * Where the files are by default: one revision, so that they never change. Published by the authors
 * of whisper.cpp under the MIT licence, as OpenAI published the weights.
 */
export const defaultModelUrl =
  'https://huggingface.co/ggerganov/whisper.cpp/resolve/5359861c739e955e79d9a303bcbc70fb988958b1';

/** Models by the names that whisper.cpp uses. Those that end in `.en` only know English. */
export const namedModels: Readonly<Record<string, NamedModel>> = {
  tiny: {
    bytes: 77_691_713,
    sha256: 'be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21',
  },
  'tiny.en': {
    bytes: 77_704_715,
    sha256: '921e4cf8686fdd993dcd081a5da5b6c365bfde1162e72b08d75ac75289920b1f',
  },
  base: {
    bytes: 147_951_465,
    sha256: '60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe',
  },
  'base.en': {
    bytes: 147_964_211,
    sha256: 'a03779c86df3323075f5e796cb2ce5029f00ec8869eee3fdfb897afe36c6d002',
  },
  small: {
    bytes: 487_601_967,
    sha256: '1be3a9b2063867b937e64e2ec7483364a79917e157fa98c5d94b5c1fffea987b',
  },
  'small.en': {
    bytes: 487_614_201,
    sha256: 'c6138d6d58ecc8322097e0f987c32f1be8bb0a18532a3f88f734d1bbf9c41e5d',
  },
  medium: {
    bytes: 1_533_763_059,
    sha256: '6c14d5adee5f86394037b4e4e8b59f1673b6cee10e3cf0b11bbdbee79c156208',
  },
  'medium.en': {
    bytes: 1_533_774_781,
    sha256: 'cc37e93478338ec7700281a7ac30a10128929eb8f427dda2e865faa8f6da4356',
  },
  'large-v3-turbo': {
    bytes: 1_624_555_275,
    sha256: '1fc70f774d38eb169993ac391eea357ef47c88757ef72ee5943879b7e8e2bc69',
  },
  'large-v3-turbo-q5_0': {
    bytes: 574_041_195,
    sha256: '394221709cd5ad1f40c46e6031ca61bce88931e6e088c188294c6d5a55ffa7e2',
  },
};

/** The file of a named model, at its address and in the model directory. */
export const modelFileName = (name: string): string => `ggml-${name}.bin`;

const isModelPath = (text: string): boolean => /[/\\]|\.bin$/.test(text);

/** Whether a text names a model, or is the path of a model file. */
export const isSpeechModel = (text: string): boolean =>
  Object.hasOwn(namedModels, text) || isModelPath(text);

/** What `isSpeechModel` takes, for messages. */
export const speechModelChoices = `one of ${Object.keys(namedModels).join(', ')}, or the path of a model file (*.bin)`;
