// @vitest-environment jsdom
import { act, useState } from 'react';
import { toast } from 'sonner';
import { expect, test, vi } from 'vitest';
import { Modal } from '../../client/platform/ui/dialogs/modal.tsx';
import { Toaster } from '../../client/platform/ui/feedback/toaster.tsx';
import { renderScreen } from '../render-screen.tsx';

function Screen() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <Modal open={isOpen} onClose={() => setIsOpen(false)} title="Report">
        <button type="button">Hide</button>
      </Modal>
      <Toaster />
    </>
  );
}

const button = (text: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text);
const click = (element: Element) => act(async () => (element as HTMLElement).click());
const dialog = () => document.querySelector<HTMLElement>('[role=dialog]');

test('what a toast offers takes the focus and is named to screen readers while a dialog is open, and goes on when it closes', async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }));
  const { press } = await renderScreen(<Screen />);
  const undone = vi.fn<() => void>();
  await act(async () => {
    toast('Request denied', { duration: Infinity, action: { label: 'Undo', onClick: undone } });
    await vi.advanceTimersByTimeAsync(100);
  });
  expect(button('Undo')).toBeDefined();
  await press('Open');
  const undo = button('Undo')!;
  expect(undo.closest('[aria-hidden=true]')).toBeNull();
  expect(button('Open')!.closest('[aria-hidden=true]')).not.toBeNull();
  // The keyboard gets to what the dialog has, and back.
  expect(dialog()!.contains(undo)).toBe(true);
  act(() => undo.focus());
  expect(document.activeElement).toBe(undo);
  act(() => button('Hide')!.focus());
  expect(document.activeElement).toBe(button('Hide'));
  await click(document.querySelector('[aria-label=Close]')!);
  expect(dialog()).toBeNull();
  expect(button('Undo')).toBe(undo);
  await click(undo);
  expect(undone).toHaveBeenCalledOnce();
});
