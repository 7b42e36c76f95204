import type { ReactNode } from 'react';
import { Illustration } from './illustration.tsx';
import type { SceneName } from './scene.tsx';

/** An empty list: a drawing, a sentence, and what to do about it. */
export function EmptyState({
  illustration,
  isSmall = false,
  children,
  action,
}: {
  illustration: SceneName;
  /** In one line, where more important content follows. */
  isSmall?: boolean;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div
      className={
        isSmall
          ? 'flex flex-wrap items-center gap-x-4 gap-y-2'
          : 'flex flex-col items-center gap-3 py-2 text-center'
      }
    >
      <Illustration name={illustration} size={isSmall ? 'small' : 'large'} />
      <p className={`max-w-sm min-w-0 text-soft ${isSmall ? 'flex-1 basis-32' : ''}`}>{children}</p>
      {action}
    </div>
  );
}
