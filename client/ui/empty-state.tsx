import type { ReactNode } from 'react';
import { Illustration } from '../illustrations/illustration.tsx';
import type { SceneName } from '../illustrations/scenes.tsx';

/** An empty list: a drawing, a sentence, and what to do about it. */
export function EmptyState({
  illustration,
  children,
  action,
}: {
  illustration: SceneName;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-3 py-2 text-center">
      <Illustration name={illustration} />
      <p className="max-w-sm text-soft">{children}</p>
      {action}
    </div>
  );
}
