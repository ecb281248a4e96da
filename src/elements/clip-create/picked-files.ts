/** A file, and in Chromium what reads it again after a reload. */
export interface PickedFile {
  readonly file: File;
  readonly handle?: FileSystemFileHandle | undefined;
}

/** Not yet in every declaration of the browser's interfaces. */
interface Picker {
  showOpenFilePicker?(options: object): Promise<FileSystemFileHandle[]>;
}
interface HandleItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

const readPicked = async (handle: FileSystemFileHandle): Promise<PickedFile> => ({
  file: await handle.getFile(),
  handle,
});

/**
 * Asks for files by the browser's picker with handles. Null: it has none here, or on a phone, where
 * an input offers the camera roll.
 */
export async function pickFiles(): Promise<PickedFile[] | null> {
  const { showOpenFilePicker } = globalThis as Picker;
  if (!showOpenFilePicker || matchMedia('(pointer: coarse)').matches) return null;
  try {
    const handles = await showOpenFilePicker.call(globalThis, {
      multiple: true,
      types: [
        {
          accept: {
            'video/*': ['.mp4', '.mov', '.mkv', '.webm', '.avi'],
            'audio/*': ['.mp3', '.m4a', '.aac', '.wav', '.flac', '.ogg', '.opus'],
            'text/vtt': ['.vtt', '.srt', '.ass', '.ssa', '.sbv', '.ttml'],
          },
        },
      ],
    });
    return await Promise.all(handles.map(readPicked));
  } catch (cause) {
    // In a frame of another origin it is forbidden.
    return (cause as DOMException).name === 'AbortError' ? [] : null;
  }
}

/** The files of a drop or a paste. Must be called in the event itself. */
export async function listFiles(data: DataTransfer): Promise<PickedFile[]> {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const files = items.map((item) => ({
    file: item.getAsFile(),
    handle: (item as HandleItem).getAsFileSystemHandle?.().catch(() => null),
  }));
  const all = await Promise.all(
    files.map(async ({ file, handle }) => {
      const found = await handle;
      return (
        file && {
          file,
          handle: found?.kind === 'file' ? (found as FileSystemFileHandle) : undefined,
        }
      );
    }),
  );
  return all.filter((one) => one !== null);
}

/** The address in a drop or a paste; null if there is none. */
export function readLink(data: DataTransfer): string | null {
  const text = (data.getData('text/uri-list') || data.getData('text/plain')).trim();
  return /^https?:\/\/\S+$/i.test(text) ? text : null;
}
