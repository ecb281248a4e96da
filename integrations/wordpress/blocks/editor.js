// The blocks in the editor, on WordPress's own components: no build step.
(({ ClipPicker }, { blocks, blockEditor, components, element, i18n, serverSideRender }) => {
  const { createElement: h, useState } = element;
  const { __ } = i18n;
  const { BlockControls, InspectorControls, MediaUpload, MediaUploadCheck, useBlockProps } =
    blockEditor;
  const {
    Button,
    Disabled,
    PanelBody,
    Placeholder,
    RangeControl,
    SelectControl,
    TextareaControl,
    TextControl,
    ToggleControl,
    ToolbarButton,
    ToolbarGroup,
  } = components;

  /** A text field of the sidebar. */
  const field = (attributes, setAttributes) => (name, label, help) =>
    h(TextControl, {
      key: name,
      label,
      help,
      value: attributes[name],
      onChange: (value) => setAttributes({ [name]: value }),
    });

  /** A list of values with what is shown for each. */
  const choice = (attributes, setAttributes) => (name, label, choices) =>
    h(SelectControl, {
      key: name,
      label,
      value: attributes[name],
      options: choices.map(([value, shown]) => ({ value, label: shown })),
      onChange: (value) => setAttributes({ [name]: value }),
    });

  const poster = (attributes, setAttributes) =>
    h(
      MediaUploadCheck,
      { key: 'poster' },
      h(MediaUpload, {
        allowedTypes: ['image'],
        onSelect: ({ url }) => setAttributes({ poster: url }),
        render: ({ open }) =>
          h(
            'p',
            null,
            h(
              Button,
              { variant: 'secondary', onClick: open },
              attributes.poster
                ? __('Replace the picture', 'clip-kit')
                : __('Choose a picture', 'clip-kit'),
            ),
            attributes.poster &&
              h(
                Button,
                {
                  variant: 'link',
                  isDestructive: true,
                  onClick: () => setAttributes({ poster: '' }),
                },
                __('Remove', 'clip-kit'),
              ),
          ),
      }),
    );

  const width = (attributes, setAttributes) =>
    h(RangeControl, {
      key: 'maxWidth',
      label: __('Largest width in pixels', 'clip-kit'),
      min: 160,
      max: 1200,
      value: attributes.maxWidth,
      onChange: (maxWidth) => setAttributes({ maxWidth }),
    });

  const panels = {
    preview: (attributes, setAttributes) => [
      field(attributes, setAttributes)(
        'title',
        __('Title', 'clip-kit'),
        __('For screen readers, and as a link without JavaScript.', 'clip-kit'),
      ),
      poster(attributes, setAttributes),
      choice(attributes, setAttributes)('loading', __('Load the player', 'clip-kit'), [
        ['click', __('on a click', 'clip-kit')],
        ['lazy', __('when it scrolls into view', 'clip-kit')],
        ['eager', __('with the page', 'clip-kit')],
      ]),
      width(attributes, setAttributes),
    ],
    embed: (attributes, setAttributes) => [
      h(ToggleControl, {
        key: 'edit',
        label: __('Let visitors edit', 'clip-kit'),
        help: __('Opens with the editor, for logged-in users.', 'clip-kit'),
        checked: attributes.edit,
        onChange: (edit) => setAttributes({ edit }),
      }),
      width(attributes, setAttributes),
    ],
    export: (attributes, setAttributes) => [
      field(attributes, setAttributes)('label', __('Text of the button', 'clip-kit')),
      field(attributes, setAttributes)(
        'folder',
        __('Folder id', 'clip-kit'),
        __('Only for a clip in a folder.', 'clip-kit'),
      ),
    ],
  };

  /** The author's clips in a dialog: what opens it, and the dialog while it is open. */
  const usePicker = (title, options) => {
    const [isOpen, setOpen] = useState(false);
    const onClose = () => setOpen(false);
    const dialog = isOpen && h(ClipPicker, { title, onClose, ...options(onClose) });
    return [() => setOpen(true), dialog];
  };

  /** A button above the block. */
  const tool = (label, onClick) =>
    h(BlockControls, null, h(ToolbarGroup, null, h(ToolbarButton, { onClick }, label)));

  /** The block takes the clip with its title; a picture was of the clip before. */
  const takes =
    (name, { id }, setAttributes) =>
    (close) => ({
      chosen: [id],
      onPick: (clip) => {
        const more = name === 'preview' && { title: clip.name, poster: '' };
        setAttributes({ id: clip.id, ...more });
        close();
      },
    });

  const lines = (text) => text.split('\n').filter((line) => line.trim());
  const idIn = (line) => line.trim().split(/\s+/)[0];

  /** The block takes several clips, in the order in which they are chosen. */
  const takesMany =
    ({ clips: text }, setAttributes) =>
    () => ({
      isMultiple: true,
      chosen: lines(text).map(idIn),
      onPick: ({ id, name }) => {
        const others = lines(text).filter((line) => idIn(line) !== id);
        const isNew = others.length === lines(text).length;
        // A title is one line.
        const line = `${id} ${name.replace(/\s+/g, ' ')}`.trim();
        setAttributes({ clips: [...others, ...(isNew ? [line] : [])].join('\n') });
      },
    });

  const clips = (attributes, setAttributes) =>
    h(TextareaControl, {
      key: 'clips',
      label: __('Clips', 'clip-kit'),
      help: __(
        'One in each line: its id or the address of its player, then its title.',
        'clip-kit',
      ),
      value: attributes.clips,
      onChange: (text) => setAttributes({ clips: text }),
    });

  const icons = { preview: 'video-alt3', embed: 'edit', export: 'download' };

  /** Asks for the clip of a new block. */
  const Ask = ({ name, title, onChoose, setAttributes }) => {
    const [text, setText] = useState('');
    const submit = (event) => {
      event.preventDefault();
      if (text.trim()) setAttributes({ id: text.trim() });
    };
    return h(
      Placeholder,
      {
        icon: icons[name],
        label: title,
        instructions: __(
          'Choose one of your clips, or enter the id of a clip or the address of its player.',
          'clip-kit',
        ),
      },
      h(
        'div',
        { className: 'clip-kit-choose' },
        h(Button, { variant: 'primary', onClick: onChoose }, __('Choose a clip', 'clip-kit')),
      ),
      h(
        'form',
        { className: 'clip-kit-ask', onSubmit: submit },
        h('input', {
          type: 'text',
          className: 'components-placeholder__input',
          'aria-label': __('Clip id or player address', 'clip-kit'),
          placeholder: 'https://clips.example/player/…',
          value: text,
          onChange: (event) => setText(event.target.value),
        }),
        h(Button, { variant: 'secondary', type: 'submit' }, __('Insert', 'clip-kit')),
      ),
    );
  };

  for (const name of Object.keys(panels)) {
    const type = `clip-kit/${name}`;
    const Edit = ({ attributes, setAttributes }) => {
      const props = useBlockProps();
      const { title } = blocks.getBlockType(type);
      const [open, dialog] = usePicker(
        __('Choose a clip', 'clip-kit'),
        takes(name, attributes, setAttributes),
      );
      if (!attributes.id)
        return h('div', props, h(Ask, { name, title, onChoose: open, setAttributes }), dialog);
      return h(
        'div',
        props,
        tool(__('Replace', 'clip-kit'), open),
        h(
          InspectorControls,
          null,
          h(
            PanelBody,
            { title: __('Clip', 'clip-kit') },
            field(attributes, setAttributes)('id', __('Clip id or player address', 'clip-kit')),
            panels[name](attributes, setAttributes),
          ),
        ),
        h(Disabled, null, h(serverSideRender, { block: type, attributes })),
        dialog,
      );
    };
    blocks.registerBlockType(type, { edit: Edit, save: () => null });
  }

  /** The blocks of several clips, each with its own settings. */
  const ofMany = {
    feed: {
      icon: 'slides',
      panel: (attributes, setAttributes) => [
        choice(attributes, setAttributes)('layout', __('Form', 'clip-kit'), [
          ['', __('A feed in the page', 'clip-kit')],
          ['strip', __('A strip of pictures that opens it', 'clip-kit')],
        ]),
        h(RangeControl, {
          key: 'height',
          label: __('Height in pixels', 'clip-kit'),
          min: 320,
          max: 1200,
          allowReset: true,
          value: attributes.height,
          onChange: (height) => setAttributes({ height }),
        }),
        field(attributes, setAttributes)('label', __('Name for screen readers', 'clip-kit')),
      ],
    },
    gallery: {
      icon: 'grid-view',
      panel: (attributes, setAttributes) => [
        h(RangeControl, {
          key: 'columns',
          label: __('Columns', 'clip-kit'),
          help: __('At most; fewer where there is less room, such as on a phone.', 'clip-kit'),
          min: 1,
          max: 6,
          value: attributes.columns,
          onChange: (columns) => setAttributes({ columns }),
        }),
      ],
    },
  };

  for (const [name, { icon, panel }] of Object.entries(ofMany)) {
    const type = `clip-kit/${name}`;
    const Edit = ({ attributes, setAttributes }) => {
      const { title } = blocks.getBlockType(type);
      const [open, dialog] = usePicker(
        __('Choose clips', 'clip-kit'),
        takesMany(attributes, setAttributes),
      );
      return h(
        'div',
        useBlockProps(),
        tool(__('Choose clips', 'clip-kit'), open),
        h(
          InspectorControls,
          null,
          h(
            PanelBody,
            { title },
            clips(attributes, setAttributes),
            panel(attributes, setAttributes),
          ),
        ),
        attributes.clips.trim()
          ? h(Disabled, null, h(serverSideRender, { block: type, attributes }))
          : h(
              Placeholder,
              { icon, label: title },
              h(
                'div',
                { className: 'clip-kit-choose' },
                h(Button, { variant: 'primary', onClick: open }, __('Choose clips', 'clip-kit')),
              ),
              clips(attributes, setAttributes),
            ),
        dialog,
      );
    };
    blocks.registerBlockType(type, { edit: Edit, save: () => null });
  }
})(window.clipKitBlocks, window.wp);
