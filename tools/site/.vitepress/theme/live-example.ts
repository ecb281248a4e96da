import { useData, withBase } from 'vitepress';
import { defineComponent, h, onMounted, ref, watch } from 'vue';
import {
  fillText,
  keepOwnValues,
  ownValues,
  readClip,
  readService,
  readShownService,
} from './own-values.ts';
import { sampleHost } from './sample-host.ts';

const escape = (text: string): string => text.replace(/\W/g, '\\$&');

/** Where a text is a whole value of an attribute, or a part of an address. */
const asPart = (text: string): RegExp => new RegExp(`(?<=["' /=])${escape(text)}(?=["' /])`, 'g');

/** A block of HTML that readers can change, and what it shows. */
export const LiveExample = defineComponent({
  props: { code: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData();
    const text = ref(fillText(props.code.trimEnd()));
    const isCopied = ref(false);
    const note = ref('');
    const frame = ref<HTMLIFrameElement>();
    // Set in the browser: a frame of the built page would load before this listens.
    const address = ref<string>();
    onMounted(() => (address.value = withBase('/example.html')));
    const heightPixels = ref(160);

    function run(): void {
      const page = frame.value?.contentDocument;
      if (!page?.body) return;
      const site = new URL(withBase('/'), location.href);
      // A host answers only pages of its own site, and takes no token of these.
      const needsHost = /\bendpoint=/.test(text.value);
      const isSample = needsHost || !ownValues.service;
      note.value = !isSample
        ? 'This shows your clip, from your service.'
        : ownValues.service
          ? 'Sample data: nothing is sent. Your host answers on your own pages.'
          : 'Sample data: nothing is sent.';
      page.body.innerHTML = isSample ? withSample(text.value, site) : text.value;
    }

    function opened(): void {
      const { contentWindow, contentDocument } = frame.value!;
      if (!contentDocument?.body) return;
      contentWindow!.fetch = sampleHost(new URL(withBase('/'), location.href));
      new ResizeObserver(([body]) => {
        heightPixels.value = Math.min(
          640,
          Math.max(96, Math.ceil(body!.borderBoxSize[0]!.blockSize)),
        );
      }).observe(contentDocument.body);
      setScheme();
      run();
    }

    function setScheme(): void {
      const page = frame.value?.contentDocument?.documentElement;
      if (page) page.style.colorScheme = isDark.value ? 'dark' : 'light';
    }

    function changeValues(event: Event): void {
      const input = event.target as HTMLInputElement;
      const isService = input.name === 'service';
      const value = isService ? readService(input.value) : readClip(input.value);
      input.setCustomValidity(
        value !== null
          ? ''
          : isService
            ? 'Enter an address, such as https://clips.example'
            : 'Enter an id: letters, digits, - and _',
      );
      if (!input.reportValidity()) return;
      keepOwnValues(isService ? value! : ownValues.service, isService ? ownValues.clip : value!);
    }

    async function copy(): Promise<void> {
      await navigator.clipboard.writeText(text.value);
      isCopied.value = true;
    }

    // What a reader has written stays, with the other values.
    watch(
      () => [readShownService(), ownValues.clip || fillText('PROJECT_ID')] as const,
      (now, before) => {
        now.forEach((value, at) => {
          text.value = text.value.replace(asPart(before[at]!), () => value);
        });
      },
    );
    watch(text, () => {
      isCopied.value = false;
      run();
    });
    watch(isDark, setScheme);

    const field = (label: string, name: 'service' | 'clip', placeholder: string) =>
      h('label', [
        label,
        h('input', {
          name,
          placeholder,
          value: ownValues[name],
          inputmode: name === 'service' ? 'url' : 'text',
          spellcheck: false,
          autocomplete: 'off',
          onInput: (event: Event) => (event.target as HTMLInputElement).setCustomValidity(''),
          onChange: changeValues,
        }),
      ]);

    return () =>
      h('section', { class: 'live', 'aria-label': 'Live example' }, [
        h('div', { class: 'live-values' }, [
          field('Your service', 'service', 'https://clips.example'),
          field('Id of your clip', 'clip', 'PROJECT_ID'),
        ]),
        h('div', { class: 'live-code' }, [
          h('textarea', {
            'aria-label': 'HTML of the example, which you can change',
            rows: text.value.split('\n').length,
            spellcheck: false,
            autocapitalize: 'off',
            value: text.value,
            onInput: (event: Event) => (text.value = (event.target as HTMLTextAreaElement).value),
          }),
          h(
            'button',
            { type: 'button', onClick: copy, 'aria-live': 'polite' },
            isCopied.value ? 'Copied' : 'Copy',
          ),
        ]),
        h('iframe', {
          ref: frame,
          src: address.value,
          title: 'The example',
          style: { height: `${heightPixels.value}px` },
          onLoad: opened,
        }),
        h('p', { class: 'live-note' }, note.value),
      ]);
  },
});

/** The example with a clip and a host of this site, in place of a service. */
function withSample(text: string, site: URL): string {
  const service = escape(readShownService());
  return text
    .replace(new RegExp(`${service}/player/[^"]*poster\\.jpg`, 'g'), `${site}clip/sleep.jpg`)
    .replace(
      new RegExp(`((?:player|app)-url=")${service}"`, 'g'),
      `$1${site}clip/sleep.html?clip={id}"`,
    )
    .replaceAll('endpoint="/clips"', `endpoint="${site}example/host"`);
}
