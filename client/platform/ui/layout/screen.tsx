import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { PRODUCT } from '../../product.ts';
import { showFromTop } from '../navigation/show-from-top.ts';

let shown: string | null = null;

/**
 * A screen: sets the document's title, and when it replaces another screen, focuses its heading (an `h1` with tabIndex -1)
 * and scrolls to the top.
 */
export function Screen({
  title,
  className = '',
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = title === PRODUCT ? title : `${title} · ${PRODUCT}`;
  }, [title]);
  useEffect(() => {
    if (shown !== null && shown !== pathname) {
      showFromTop(main.current?.querySelector<HTMLElement>('h1[tabindex]') ?? main.current);
    }
    shown = pathname;
  }, [pathname]);
  return (
    <main ref={main} id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
