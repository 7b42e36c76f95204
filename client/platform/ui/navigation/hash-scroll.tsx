import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

/** Scrolls to the section in the address, such as `/home#my-dogs`, once this is rendered. */
export function HashScroll() {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  return null;
}
