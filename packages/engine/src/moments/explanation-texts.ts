/**
 * What an explanation can say, by language. Parts of a sentence without a full stop, in lower case:
 * they are joined by semicolons. Each names a fact, or words of the clip.
 */
export interface ExplanationTexts {
  /** `{topics}` is one topic, or a list of two. */
  about: string;
  /** `{numbers}` is a quoted number, or a list of two. */
  numbers: string;
  /** `{count}` is more than one. */
  turns: string;
  reaction: string;
  louder: string;
  quieter: string;
  /** `{percent}` is a number. */
  wordless: string;
  /** `{count}` is more than one. */
  cuts: string;
  model: string;
  plain: string;
  /** `{text}` between the language's quotation marks. */
  quote: string;
}

const en: ExplanationTexts = {
  about: 'about {topics}',
  numbers: 'mentions {numbers}',
  turns: 'changes speaker {count} times',
  reaction: 'laughter or applause at {time}',
  louder: '{count} dB louder than the video usually is',
  quieter: '{count} dB quieter than the video usually is',
  wordless: 'nobody speaks for {percent} % of it',
  cuts: '{count} cuts',
  model: 'chosen by the language model too',
  plain: 'not much different from the rest of the video',
  quote: '“{text}”',
};

const de: ExplanationTexts = {
  about: 'über {topics}',
  numbers: 'nennt {numbers}',
  turns: 'wechselt {count}-mal zwischen den Sprechenden',
  reaction: 'Lachen oder Applaus bei {time}',
  louder: '{count} dB lauter als das Video sonst',
  quieter: '{count} dB leiser als das Video sonst',
  wordless: 'in {percent} % der Zeit spricht niemand',
  cuts: '{count} Schnitte',
  model: 'auch vom Sprachmodell gewählt',
  plain: 'kaum anders als der Rest des Videos',
  quote: '„{text}“',
};

const fr: ExplanationTexts = {
  about: 'au sujet de : {topics}',
  numbers: 'cite {numbers}',
  turns: 'change {count} fois d’interlocuteur',
  reaction: 'rires ou applaudissements à {time}',
  louder: '{count} dB de plus que d’habitude dans la vidéo',
  quieter: '{count} dB de moins que d’habitude dans la vidéo',
  wordless: 'personne ne parle pendant {percent} % du temps',
  cuts: '{count} changements de plan',
  model: 'choisi aussi par le modèle de langage',
  plain: 'peu différent du reste de la vidéo',
  quote: '« {text} »',
};

const es: ExplanationTexts = {
  about: 'sobre {topics}',
  numbers: 'menciona {numbers}',
  turns: 'cambia de persona {count} veces',
  reaction: 'risas o aplausos en {time}',
  louder: '{count} dB más alto de lo habitual en el vídeo',
  quieter: '{count} dB más bajo de lo habitual en el vídeo',
  wordless: 'nadie habla durante el {percent} % del tiempo',
  cuts: '{count} cortes',
  model: 'elegido también por el modelo de lenguaje',
  plain: 'poco diferente del resto del vídeo',
  quote: '«{text}»',
};

const pt: ExplanationTexts = {
  about: 'sobre {topics}',
  numbers: 'menciona {numbers}',
  turns: 'muda de pessoa {count} vezes',
  reaction: 'risos ou aplausos em {time}',
  louder: '{count} dB mais alto do que é habitual no vídeo',
  quieter: '{count} dB mais baixo do que é habitual no vídeo',
  wordless: 'ninguém fala durante {percent} % do tempo',
  cuts: '{count} cortes',
  model: 'também escolhido pelo modelo de linguagem',
  plain: 'pouco diferente do resto do vídeo',
  quote: '«{text}»',
};

const it: ExplanationTexts = {
  about: 'argomenti: {topics}',
  numbers: 'cita {numbers}',
  turns: 'cambia voce {count} volte',
  reaction: 'risate o applausi a {time}',
  louder: '{count} dB più forte del solito nel video',
  quieter: '{count} dB più debole del solito nel video',
  wordless: 'nessuno parla per il {percent} % del tempo',
  cuts: '{count} tagli',
  model: 'scelto anche dal modello linguistico',
  plain: 'poco diverso dal resto del video',
  quote: '«{text}»',
};

const nl: ExplanationTexts = {
  about: 'over {topics}',
  numbers: 'noemt {numbers}',
  turns: 'wisselt {count} keer van spreker',
  reaction: 'gelach of applaus op {time}',
  louder: '{count} dB luider dan de video meestal is',
  quieter: '{count} dB zachter dan de video meestal is',
  wordless: '{percent} % van de tijd spreekt niemand',
  cuts: '{count} cuts',
  model: 'ook gekozen door het taalmodel',
  plain: 'niet veel anders dan de rest van de video',
  quote: '‘{text}’',
};

const byLanguage: Readonly<Record<string, ExplanationTexts>> = { en, de, fr, es, pt, it, nl };

/** The texts of a language (base code) and their language: English if it has no texts. */
export const explanationTexts = (language: string): [ExplanationTexts, string] =>
  language in byLanguage ? [byLanguage[language]!, language] : [en, 'en'];
