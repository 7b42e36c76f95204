import { lazy, type ComponentType } from 'react';
import { bring } from './bring.ts';

/**
 * A screen or a dialog that comes in files of its own when it is first opened. While it is on its way nothing stands in its
 * place, and `PartProgress` says so; what has a place of its own for that is `lazy` alone.
 */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => bring(load));
