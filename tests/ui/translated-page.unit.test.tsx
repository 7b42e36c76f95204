// @vitest-environment jsdom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guardNumberFields } from '../../client/platform/forms/number-wheel.ts';
import { guardTranslatedPage } from '../../client/platform/ui/layout/translated-page.ts';

let stop: () => void;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div id="root"></div>';
  stop = guardTranslatedPage(document.body);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** Puts a `<font>` in place of every text node, as translators do. */
async function translate() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const font = document.createElement('font');
    const inner = document.createElement('font');
    inner.textContent = text.data.toUpperCase();
    font.append(inner);
    text.parentNode!.replaceChild(font, text);
  }
  await Promise.resolve();
}

/** A walker: text nodes beside conditional siblings. */
function Walker({ trend, name, isNear }: { trend: string | null; name: string; isNear: boolean }) {
  return (
    <p>
      {isNear && <b>near</b>}
      {trend && `${trend} `}
      {name}
      {isNear ? ' now' : null}
      <i>end</i>
    </p>
  );
}

test('a translated page goes on: text appears, changes and goes beside conditional siblings', async () => {
  const root = createRoot(document.getElementById('root')!);
  const show = async (trend: string | null, name: string, isNear: boolean) => {
    await act(async () => root.render(<Walker trend={trend} name={name} isNear={isNear} />));
    await Promise.resolve();
    return document.querySelector('p')?.textContent;
  };
  expect(await show(null, 'Sam', false)).toBe('Samend');
  await translate();
  expect(document.querySelector('p')?.textContent).toBe('SAMEND');
  // Inserts beside a text that was replaced.
  expect(await show('closer', 'Sam', true)).toBe('nearcloser SAM nowEND');
  await translate();
  // Changes one text.
  expect(await show('away', 'Sam', true)).toBe('NEARaway SAM NOWEND');
  await translate();
  // Removes texts that were replaced.
  expect(await show(null, 'Ann', false)).toBe('AnnEND');
  await translate();
  await act(async () => root.unmount());
  expect(document.getElementById('root')?.textContent).toBe('');
});

test('the mouse wheel takes the focus from a number field instead of changing it', () => {
  guardNumberFields();
  document.body.innerHTML = '<input type="number" value="200"><input type="text">';
  const [number, text] = document.querySelectorAll('input');
  number!.focus();
  number!.dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
  expect(document.activeElement).toBe(document.body);
  text!.focus();
  text!.dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
  expect(document.activeElement).toBe(text);
});
