import { lazy, type ComponentType } from 'react';
import { importWithRetry } from './import-with-retry.ts';

/**
 * A screen, a tab or a dialog that comes in files of its own when somebody first opens it. While they are on their way
 * `PartProgress` says so. What comes by itself, as what is further down on a page, is React's `lazy` alone.
 */
export const lazyComponent = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => importWithRetry(load));
