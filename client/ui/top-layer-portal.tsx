import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTopDialog } from './top-dialog.ts';

/** Draws what must be reachable above every dialog inside the uppermost one, which keeps keyboard and readers within itself. */
export function AboveDialogs({ children }: { children: ReactNode }) {
  const dialog = useTopDialog();
  return dialog ? createPortal(children, dialog) : children;
}
