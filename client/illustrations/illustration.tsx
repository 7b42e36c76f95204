import { lazy, Suspense } from 'react';
import type { SceneName } from './scenes.tsx';

const Scene = lazy(() => import('./scenes.tsx'));

/** A decorative scene, loaded on demand; its space is reserved, so that nothing moves. */
export function Illustration({ name, className = '' }: { name: SceneName; className?: string }) {
  return (
    <div
      aria-hidden
      className={`aspect-2/1 w-full max-w-72 overflow-hidden rounded-card ${className}`}
    >
      <Suspense>
        <Scene name={name} />
      </Suspense>
    </div>
  );
}
