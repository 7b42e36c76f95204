// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { guardPresses } from '../../client/platform/ui/navigation/press-guard.ts';

let stop = () => {};
let acts: string[];
beforeEach(() => {
  stop = guardPresses();
  acts = [];
  for (const name of ['Hold', 'Silence', 'Requests']) add(name);
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

function add(name: string): void {
  const made = document.body.appendChild(document.createElement('button'));
  made.textContent = name;
  made.append(document.createElement('i'));
  made.addEventListener('click', () => acts.push(name));
}
const button = (name: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)!;
const pointer = (type: string, target: Element, at = 0) =>
  target.dispatchEvent(
    new MouseEvent(type, { bubbles: true, cancelable: true, detail: 1, clientX: at }),
  );
const key = (type: 'keydown' | 'keyup', name: string, target: Element, repeat = false) =>
  target.dispatchEvent(
    new KeyboardEvent(type, { key: name, bubbles: true, cancelable: true, repeat }),
  );

test('a press on a control that is gone does nothing on the screen that replaced it', () => {
  const pressed = button('Hold');
  pointer('pointerdown', pressed);
  pressed.remove();
  pointer('click', button('Silence'));
  expect(acts).toEqual([]);
});

test('a press whose control moved away acts on that control', () => {
  pointer('pointerdown', button('Requests').firstElementChild!);
  pointer('click', button('Silence'));
  expect(acts).toEqual(['Requests']);
});

test('a press that slid to another control does nothing', () => {
  pointer('pointerdown', button('Requests'));
  pointer('click', button('Silence'), 60);
  expect(acts).toEqual([]);
});

test('ordinary presses, labels, keyboards and assistive technology act', () => {
  pointer('pointerdown', button('Silence'));
  pointer('click', button('Silence').firstElementChild!);
  button('Requests').click();
  const label = document.body.appendChild(document.createElement('label'));
  const field = label.appendChild(document.createElement('input'));
  field.type = 'checkbox';
  pointer('pointerdown', label);
  pointer('click', field);
  expect(acts).toEqual(['Silence', 'Requests']);
  expect(field.checked).toBe(true);
});

test('a key that is held while the screen changes does nothing on the next one', () => {
  key('keydown', 'Enter', button('Hold'));
  expect(key('keydown', 'Enter', button('Silence'), true)).toBe(false);
  key('keyup', 'Enter', button('Silence'));
  key('keydown', ' ', button('Hold'));
  expect(key('keyup', ' ', button('Silence'))).toBe(false);
  // A new press of the key acts.
  expect(key('keydown', 'Enter', button('Silence'))).toBe(true);
});
