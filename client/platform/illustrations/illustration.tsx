import { optionalComponent } from '../lazy/lazy-component.tsx';
import type { SceneName } from './scene.tsx';

const Scene = optionalComponent(() => import('./scene.tsx'));

/** A decorative scene, loaded on demand; its space is reserved, so that nothing moves. */
export function Illustration({
  name,
  size = 'large',
}: {
  name: SceneName;
  /** Small is for beside a line of text. Default large. */
  size?: 'small' | 'large';
}) {
  return (
    <div
      aria-hidden
      className={`aspect-2/1 overflow-hidden ${size === 'small' ? 'w-24 max-w-full shrink-0 rounded-control' : 'w-full max-w-72 rounded-card'}`}
    >
      <Scene name={name} />
    </div>
  );
}
