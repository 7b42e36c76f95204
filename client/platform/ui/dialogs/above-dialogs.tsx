import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTopDialog } from './top-dialog.ts';

/** Renders its children inside the topmost dialog, which traps the focus, so that they stay reachable above it. */
export function AboveDialogs({ children }: { children: ReactNode }) {
  const dialog = useTopDialog();
  return dialog ? createPortal(children, dialog) : children;
}
