import type { ReactNode } from 'react';

/** A slot without an ad: as tall as one with. */
export function EmptySlot({ height, children }: { height: string; children?: ReactNode }) {
  return (
    <div
      className={`flex items-center justify-center rounded-card bg-sunken px-4 text-center text-sm text-soft ${height}`}
    >
      {children && <p>{children}</p>}
    </div>
  );
}
