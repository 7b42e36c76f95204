import { useState, type ComponentType } from 'react';
import { isChatShown } from '../features/friends/chat-path.ts';
import { lazyScreen } from '../platform/lazy/lazy-component.tsx';

/** A lazy screen that can be preloaded and then renders without suspending. */
export function loadable<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  let loaded: ComponentType<Props> | null = null;
  const remember = async () => {
    const screen = await load();
    loaded = screen.default;
    return screen;
  };
  const Later = lazyScreen(remember);
  return {
    load: remember,
    Screen(props: Props) {
      // Chosen once: switching the component would remount the screen.
      const [Chosen] = useState(() => loaded ?? Later);
      return <Chosen {...props} />;
    },
  };
}

/** Screens loaded in parallel with their layout, instead of one after the other. */
export const home = loadable(() => import('./dashboard/home-page.tsx'));
export const social = loadable(() => import('./social/social-page.tsx'));
export const chat = loadable(() => import('../features/chat/chat-page.tsx'));

/** Returns that of the address at which the app was opened. */
export const firstScreen = () =>
  isChatShown() ? chat : { '/home': home, '/social': social }[location.pathname];
