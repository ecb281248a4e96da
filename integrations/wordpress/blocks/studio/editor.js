// The block of the studio in the editor: its settings, and a card in its place.
(({ blocks, blockEditor, components, element, i18n, serverSideRender }) => {
  const { createElement: h } = element;
  const { __ } = i18n;
  const { InspectorControls, useBlockProps } = blockEditor;
  const { CheckboxControl, Disabled, PanelBody, SelectControl, TextControl, ToggleControl } =
    components;

  /** What is made if nobody chooses something else. */
  const defaults = (attributes, setAttributes) => {
    const control = (type, name, label, more) =>
      h(type, {
        key: name,
        label,
        value: attributes[name],
        onChange: (value) => setAttributes({ [name]: value }),
        ...more,
      });
    const text = (name, label, help) => control(TextControl, name, label, { help });
    const number = (name, label) =>
      control(TextControl, name, label, {
        type: 'number',
        min: 1,
        help: __('If empty, the service decides.', 'clip-kit'),
        value: attributes[name] ?? '',
        onChange: (value) => setAttributes({ [name]: Number(value) || undefined }),
      });
    const choice = (name, label, choices) =>
      control(SelectControl, name, label, {
        options: choices.map(([value, shown]) => ({ value, label: shown })),
      });
    const flag = (name, label) =>
      control(ToggleControl, name, label, { checked: attributes[name] });
    const isVideo = attributes.kind === 'video';
    return [
      choice('kind', __('Make', 'clip-kit'), [
        ['', __('Several clips', 'clip-kit')],
        ['video', __('One edited video', 'clip-kit')],
      ]),
      !isVideo && number('count', __('Number of clips, at most', 'clip-kit')),
      !isVideo && number('clipLength', __('Length of a clip, in seconds', 'clip-kit')),
      text(
        'language',
        __('Language spoken', 'clip-kit'),
        __('Such as en or pt-BR. If empty, it is recognised.', 'clip-kit'),
      ),
      text(
        'translateTo',
        __('Translate captions to', 'clip-kit'),
        __('Such as de. If empty, they are not translated.', 'clip-kit'),
      ),
      choice('shape', __('Shape', 'clip-kit'), [
        ['', __('Upright (9:16)', 'clip-kit')],
        ['4:5', __('Portrait (4:5)', 'clip-kit')],
        ['1:1', __('Square (1:1)', 'clip-kit')],
        ['16:9', __('Wide (16:9)', 'clip-kit')],
      ]),
      !isVideo &&
        text(
          'topics',
          __('What the clips should be about', 'clip-kit'),
          __('Words or phrases, separated by commas. If empty, anything.', 'clip-kit'),
        ),
      text(
        'presetId',
        __('Style', 'clip-kit'),
        __('The id of a style of captions and title.', 'clip-kit'),
      ),
      flag('noCaptions', __('Without captions', 'clip-kit')),
      flag('noEmojis', __('Without emoji', 'clip-kit')),
      flag('noTitle', __('Without a title', 'clip-kit')),
      flag('removeSilences', __('Cut out silences', 'clip-kit')),
      flag('removeFillers', __('Cut out filler words', 'clip-kit')),
    ];
  };

  /** The names in the attribute `options`. */
  const options = [
    ['kind', __('Several clips or one video', 'clip-kit')],
    ['topics', __('What the clips should be about', 'clip-kit')],
    ['count', __('Number of clips', 'clip-kit')],
    ['length', __('Length of a clip', 'clip-kit')],
    ['language', __('Language spoken', 'clip-kit')],
    ['translation', __('Translate captions', 'clip-kit')],
    ['shape', __('Shape', 'clip-kit')],
    ['captions', __('Captions', 'clip-kit')],
    ['emoji', __('Emoji', 'clip-kit')],
    ['title', __('Title', 'clip-kit')],
    ['silences', __('Cut out silences', 'clip-kit')],
    ['fillers', __('Cut out filler words', 'clip-kit')],
  ];

  /** What a user can choose: all of it without the attribute. */
  const choices = (attributes, setAttributes) => {
    const names = options.map(([name]) => name);
    const chosen = attributes.options?.split(' ') ?? names;
    const choose = (name, isChosen) => {
      const now = names.filter((one) => (one === name ? isChosen : chosen.includes(one)));
      setAttributes({ options: now.length === names.length ? undefined : now.join(' ') });
    };
    return options.map(([name, label]) =>
      h(CheckboxControl, {
        key: name,
        label,
        checked: chosen.includes(name),
        onChange: (isChosen) => choose(name, isChosen),
      }),
    );
  };

  const Edit = ({ attributes, setAttributes }) =>
    h(
      'div',
      useBlockProps(),
      h(
        InspectorControls,
        null,
        h(
          PanelBody,
          { title: __('What is made', 'clip-kit') },
          defaults(attributes, setAttributes),
        ),
        h(
          PanelBody,
          { title: __('What users can change', 'clip-kit'), initialOpen: false },
          choices(attributes, setAttributes),
        ),
      ),
      h(Disabled, null, h(serverSideRender, { block: 'clip-kit/studio', attributes })),
    );

  blocks.registerBlockType('clip-kit/studio', { edit: Edit, save: () => null });
})(window.wp);
