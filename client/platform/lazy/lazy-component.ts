import { lazy, type ComponentType } from 'react';
import { importWithRetry } from './import-with-retry.ts';

/**
 * A lazily loaded screen, tab or dialog, with retries; `LoadingBar` is shown while it loads. Content that isn't opened by the
 * user, such as further down on a page, uses React's `lazy` alone.
 */
export const lazyComponent = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => importWithRetry(load));
