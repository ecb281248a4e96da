// The blocks in the editor, on WordPress's own components: no build step.
(({ blocks, blockEditor, components, element, i18n, serverSideRender }) => {
  const { createElement: h, useState } = element;
  const { __ } = i18n;
  const { InspectorControls, MediaUpload, MediaUploadCheck, useBlockProps } = blockEditor;
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
      h(SelectControl, {
        key: 'loading',
        label: __('Load the player', 'clip-kit'),
        value: attributes.loading,
        options: [
          { value: 'click', label: __('on a click', 'clip-kit') },
          { value: 'lazy', label: __('when it scrolls into view', 'clip-kit') },
          { value: 'eager', label: __('with the page', 'clip-kit') },
        ],
        onChange: (loading) => setAttributes({ loading }),
      }),
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
  const Ask = ({ name, title, setAttributes }) => {
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
        instructions: __('Enter the id of a clip, or the address of its player.', 'clip-kit'),
      },
      h(
        'form',
        { className: 'clip-kit-ask', onSubmit: submit },
        h('input', {
          type: 'text',
          className: 'components-placeholder__input',
          'aria-label': __('Clip', 'clip-kit'),
          placeholder: 'https://clips.example/player/…',
          value: text,
          onChange: (event) => setText(event.target.value),
        }),
        h(Button, { variant: 'primary', type: 'submit' }, __('Insert', 'clip-kit')),
      ),
    );
  };

  for (const name of Object.keys(panels)) {
    const type = `clip-kit/${name}`;
    const Edit = ({ attributes, setAttributes }) => {
      const props = useBlockProps();
      const { title } = blocks.getBlockType(type);
      if (!attributes.id) return h('div', props, h(Ask, { name, title, setAttributes }));
      return h(
        'div',
        props,
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
      );
    };
    blocks.registerBlockType(type, { edit: Edit, save: () => null });
  }

  const Feed = ({ attributes, setAttributes }) =>
    h(
      'div',
      useBlockProps(),
      h(
        InspectorControls,
        null,
        h(
          PanelBody,
          { title: __('Clip feed', 'clip-kit') },
          clips(attributes, setAttributes),
          h(SelectControl, {
            key: 'layout',
            label: __('Form', 'clip-kit'),
            value: attributes.layout,
            options: [
              { value: '', label: __('A feed in the page', 'clip-kit') },
              { value: 'strip', label: __('A strip of pictures that opens it', 'clip-kit') },
            ],
            onChange: (layout) => setAttributes({ layout }),
          }),
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
        ),
      ),
      attributes.clips.trim()
        ? h(Disabled, null, h(serverSideRender, { block: 'clip-kit/feed', attributes }))
        : h(
            Placeholder,
            { icon: 'slides', label: __('Clip feed', 'clip-kit') },
            clips(attributes, setAttributes),
          ),
    );
  blocks.registerBlockType('clip-kit/feed', { edit: Feed, save: () => null });
})(window.wp);
