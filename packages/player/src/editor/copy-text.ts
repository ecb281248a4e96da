/** Copies a text. Returns false if the page may not. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A frame of another site may not write to the clipboard so, but after a press like this.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.style.cssText = 'position: fixed; inset-block-start: 0; opacity: 0';
  // A modal dialog lets nothing outside of it be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  (focused as HTMLElement | null)?.focus();
  return isCopied;
}
