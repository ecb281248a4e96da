// The author's own clips, to choose from: `clipKitBlocks.ClipPicker`. No build step.
((blocks, { apiFetch, components, element, i18n }) => {
  const { createElement: h, useEffect, useRef, useState } = element;
  const { __, _n, sprintf } = i18n;
  const { Button, Modal, Notice, SearchControl, Spinner } = components;
  const { host } = blocks;

  /** How many videos are read at once, each with its clips. */
  const videosPerPage = 6;
  /** A search reads on until it has found this number of clips. */
  const enoughFound = 12;

  /** Reads a session, by which the host knows the author. */
  const readSession = async () => {
    const answer = await fetch(host.session, { credentials: 'same-origin' });
    if (!answer.ok) throw answer;
    return (await answer.json()).session;
  };

  /** Reads from the host. Throws the response if it is a refusal. */
  const read = async (path, session) => {
    const headers = { Authorization: `Bearer ${session}` };
    const answer = await fetch(`${host.endpoint}/${path}`, { headers });
    if (!answer.ok) throw answer;
    return answer;
  };

  const clipsOf = async ({ output_type: type, output_id: output }, session) => {
    const id = encodeURIComponent(output);
    try {
      const path = type === 'folder' ? `projects?folder_id=${id}` : `projects/${id}`;
      return [await (await read(path, session)).json()].flat();
    } catch (failure) {
      // A clip that is still being made is not there yet.
      if (failure.status === 404) return [];
      throw failure;
    }
  };

  /** Reads a page of videos, newest first, each with its clips, and the cursor of the next page. */
  const readVideos = async (cursor) => {
    const session = await readSession();
    const at = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const answer = await read(`tasks?limit=${videosPerPage}${at}`, session);
    const tasks = (await answer.json()).filter(({ status }) => status !== 'error');
    const link = /<[^>]*[?&]cursor=([^&>]*)[^>]*>\s*;\s*rel="?next"?/.exec(
      answer.headers.get('Link') ?? '',
    );
    const videos = await Promise.all(
      tasks.map(async (task) => ({
        id: task.id,
        name: task.name || __('Video', 'clip-kit'),
        clips: await clipsOf(task, session),
      })),
    );
    const next = link && decodeURIComponent(link[1].replaceAll('+', ' '));
    return { videos: videos.filter(({ clips }) => clips.length), next };
  };

  /** What went wrong, and whether trying again may help. */
  const describe = ({ status }) => {
    if (status === 401) return [__('You are logged out. Log in again.', 'clip-kit'), true];
    if (status === 403)
      return [
        __('You may not see clips here. Ask an administrator of this site.', 'clip-kit'),
        false,
      ];
    return [__('The clip service is unavailable. Try again in a moment.', 'clip-kit'), true];
  };

  /** The videos that were read so far. */
  const useVideos = () => {
    const [state, setState] = useState({ videos: [], next: null, isLoading: true, failure: null });
    const isOpen = useRef(true);
    const load = async (before) => {
      setState({ ...before, isLoading: true, failure: null });
      let after;
      try {
        const { videos, next } = await readVideos(before.next);
        after = { videos: [...before.videos, ...videos], next, isLoading: false, failure: null };
      } catch (failure) {
        after = { ...before, isLoading: false, failure };
      }
      if (isOpen.current) setState(after);
    };
    useEffect(() => {
      isOpen.current = true;
      if (host.endpoint) void load(state);
      return () => {
        isOpen.current = false;
      };
    }, []);
    return [state, () => load(state)];
  };

  const isFound = (text, words) => {
    const lower = text.toLocaleLowerCase();
    return words.every((word) => lower.includes(word));
  };

  /** The videos with only those clips whose title, or whose video, has all words. */
  const search = (videos, text) => {
    const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return videos;
    return videos
      .map((video) => ({
        ...video,
        clips: video.clips.filter((clip) => isFound(`${clip.name} ${video.name}`, words)),
      }))
      .filter(({ clips }) => clips.length);
  };

  const posterOf = ({ id, poster_url: own }) =>
    own ?? blocks.posterUrl.replace(/\{(project|id)\}/g, encodeURIComponent(id));

  const length = (seconds) => {
    const whole = Math.round(seconds);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
  };

  const hide = ({ currentTarget }) => {
    currentTarget.hidden = true;
  };

  const Clip = ({ clip, isChosen, onClick }) => {
    const poster = posterOf(clip);
    const score = clip.virality_score == null ? null : Math.round(clip.virality_score * 100);
    return h(
      'button',
      { type: 'button', className: 'clip-kit-picker-clip', 'aria-pressed': isChosen, onClick },
      h(
        'span',
        { className: 'clip-kit-picker-picture' },
        poster && h('img', { src: poster, alt: '', loading: 'lazy', onError: hide }),
        clip.duration && h('span', { className: 'clip-kit-picker-length' }, length(clip.duration)),
      ),
      h('bdi', { className: 'clip-kit-picker-title' }, clip.name),
      score !== null &&
        // translators: %d: a number from 0 to 100
        h('span', null, sprintf(__('Score: %d of 100', 'clip-kit'), score)),
    );
  };

  /**
   * A notice with an action. Without `spokenMessage`, WordPress draws the button as a text, and a
   * button that comes later ends in an error of React.
   */
  const Message = ({ status, text, action }) =>
    h(
      Notice,
      { status, isDismissible: false, spokenMessage: text },
      h('p', null, text),
      action && h(Button, { variant: 'secondary', ...action.props }, action.label),
    );

  /** Says where clips are made: the page of this site with a studio, or how to make one. */
  const NoClips = () => {
    const [studio, setStudio] = useState(undefined);
    useEffect(() => {
      const path = '/wp/v2/pages?search=wp%3Aclip-kit%2Fstudio&per_page=1&_fields=link';
      const find = async () => (await apiFetch({ path }))[0]?.link ?? null;
      void find()
        .catch(() => null)
        .then(setStudio);
    }, []);
    if (!blocks.canMake)
      return h(Message, {
        status: 'info',
        text: __(
          'You have no clips yet, and may not make any. Ask an administrator of this site.',
          'clip-kit',
        ),
      });
    return h(Message, {
      status: 'info',
      text: __('You have no clips yet. Make them from your videos in a clip studio.', 'clip-kit'),
      action: studio !== undefined && {
        props: { target: '_blank', href: studio ?? blocks.newPage },
        label: studio
          ? __('Make clips', 'clip-kit')
          : __('Write a page with the block Clip studio', 'clip-kit'),
      },
    });
  };

  const NotConnected = () =>
    h(Message, {
      status: 'warning',
      text: blocks.settings
        ? __('This site is not connected to a clip host.', 'clip-kit')
        : __(
            'This site is not connected to a clip host. Ask an administrator of this site.',
            'clip-kit',
          ),
      action: blocks.settings && {
        props: { target: '_blank', href: blocks.settings },
        label: __('Connect', 'clip-kit'),
      },
    });

  /**
   * A dialog with the author's clips. `chosen` are the ids of those that are in the block. `onPick`
   * is called with a clip: one that is chosen already is to be removed if there can be several.
   */
  const ClipPicker = ({ title, chosen, isMultiple, onPick, onClose }) => {
    const [{ videos, next, isLoading, failure }, load] = useVideos();
    const [text, setText] = useState('');
    const found = search(videos, text);
    const count = found.reduce((sum, { clips }) => sum + clips.length, 0);
    const isSearch = text.trim() !== '';
    // Pages without clips, and those without a hit, are passed over.
    const readsOn = next && !isLoading && !failure && count < (isSearch ? enoughFound : 1);
    useEffect(() => {
      if (readsOn) void load();
    }, [readsOn, videos]);
    const isEmpty = !isLoading && !readsOn && !failure && !videos.length;
    const [problem, canRetry] = failure ? describe(failure) : [];
    return h(
      Modal,
      { title, onRequestClose: onClose, className: 'clip-kit-picker' },
      !host.endpoint && h(NotConnected),
      host.endpoint && isEmpty && h(NoClips),
      videos.length > 0 &&
        h(SearchControl, {
          label: __('Search clips', 'clip-kit'),
          value: text,
          onChange: setText,
        }),
      found.map((video) =>
        h(
          'section',
          { key: video.id },
          h('h3', null, h('bdi', null, video.name)),
          h(
            'div',
            { className: 'clip-kit-picker-clips' },
            video.clips.map((clip) =>
              h(Clip, {
                key: clip.id,
                clip,
                isChosen: chosen.includes(clip.id),
                onClick: () => onPick(clip),
              }),
            ),
          ),
        ),
      ),
      isSearch &&
        !count &&
        !isLoading &&
        !readsOn &&
        !failure &&
        h('p', { role: 'status' }, __('No clip has these words in its title.', 'clip-kit')),
      failure &&
        h(Message, {
          status: 'error',
          text: problem,
          action: canRetry && { props: { onClick: load }, label: __('Retry', 'clip-kit') },
        }),
      host.endpoint &&
        isLoading &&
        h('p', { className: 'clip-kit-picker-wait', role: 'status' }, [
          h(Spinner, { key: 'spinner' }),
          __('Loading clips…', 'clip-kit'),
        ]),
      next &&
        !isLoading &&
        !failure &&
        h(Button, { variant: 'secondary', onClick: load }, __('Show more', 'clip-kit')),
      isMultiple &&
        h(
          'div',
          { className: 'clip-kit-picker-done' },
          h(
            'span',
            { role: 'status' },
            sprintf(
              // translators: %d: a number of clips
              _n('%d clip chosen', '%d clips chosen', chosen.length, 'clip-kit'),
              chosen.length,
            ),
          ),
          h(Button, { variant: 'primary', onClick: onClose }, __('Done', 'clip-kit')),
        ),
    );
  };

  blocks.ClipPicker = ClipPicker;
})(window.clipKitBlocks, window.wp);
