import type { ReactNode } from 'react';

/** A slot without an ad: as tall as one with, or as large text needs. Without content, nothing is visible. */
export function EmptySlot({ height, children }: { height: string; children?: ReactNode }) {
  return (
    <div
      className={`flex min-h-fit items-center justify-center rounded-card px-4 text-center text-sm text-balance text-soft ${children ? 'bg-sunken' : ''} ${height}`}
    >
      {children && <p>{children}</p>}
    </div>
  );
}
