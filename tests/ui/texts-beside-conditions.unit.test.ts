import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, type ESTree } from 'vite';
import { expect, test } from 'vitest';

const CLIENT = join(import.meta.dirname, '../../client');

/** What a child of an element may become. */
type Outcome = 'text' | 'element' | 'nothing' | 'unknown';

/** Names of variables with texts. Other variables and calls may be elements. */
const TEXT_NAME = /^(name|text|label|title|words)$|(Name|Text|Words|Label)$/;

/** What an expression or child may become; several where it depends on a condition. */
function outcomesOf(node: ESTree.Node): Outcome[] {
  switch (node.type) {
    case 'JSXText':
      return [node.value.trim() ? 'text' : 'unknown'];
    case 'JSXExpressionContainer':
      return outcomesOf(node.expression);
    case 'JSXElement':
      return ['element'];
    case 'JSXFragment':
      return childrenOf(node)
        .flatMap(outcomesOf)
        .filter((outcome) => outcome !== 'nothing');
    case 'Literal':
      if (typeof node.value !== 'string' && typeof node.value !== 'number') return ['nothing'];
      if (node.value === '') return ['nothing'];
      return [String(node.value).trim() ? 'text' : 'unknown'];
    case 'TemplateLiteral':
    case 'MemberExpression':
      return ['text'];
    case 'Identifier':
      if (node.name === 'undefined') return ['nothing'];
      return [TEXT_NAME.test(node.name) ? 'text' : 'unknown'];
    case 'LogicalExpression':
      return node.operator === '&&'
        ? ['nothing', ...outcomesOf(node.right)]
        : [...outcomesOf(node.left), ...outcomesOf(node.right)];
    case 'ConditionalExpression':
      return [...outcomesOf(node.consequent), ...outcomesOf(node.alternate)];
    case 'ParenthesizedExpression':
      return outcomesOf(node.expression);
    default:
      return ['unknown'];
  }
}

const childrenOf = ({ children }: ESTree.JSXElement | ESTree.JSXFragment) =>
  children.filter(
    (child) =>
      !(child.type === 'JSXText' && !child.value.trim()) &&
      !(child.type === 'JSXExpressionContainer' && child.expression.type === 'JSXEmptyExpression'),
  );

/** Finds elements where a text node stands beside a condition, or is the outcome of one beside something else. */
function faultsIn(source: string, name = 'a.tsx'): string[] {
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name} has syntax errors`);
  const faults: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    const { type, start } = node as ESTree.Node;
    if (type === 'JSXElement' || type === 'JSXFragment') {
      const children = childrenOf(node as ESTree.JSXElement).map((child) =>
        child.type === 'JSXFragment' ? ['unknown' as const] : outcomesOf(child),
      );
      const isCondition = (found: Outcome[]) =>
        found.includes('nothing') || (found.includes('text') && found.includes('element'));
      const isFaulty =
        children.length > 1 &&
        children.some(isCondition) &&
        children.some((found) => found.includes('text'));
      if (isFaulty) faults.push(`${name}:${source.slice(0, start).split('\n').length}`);
    }
    Object.values(node).forEach(visit);
  };
  visit(program);
  return faults;
}

test.each([
  ['a text that comes and goes', '<p><b>a</b>{on && " now"}</p>'],
  ['a text after a condition', '<p>{on && <b>near</b>}{name}</p>'],
  ['a text before a condition', '<p>Battery {percent}%{on && <b>!</b>}</p>'],
  ['a text instead of an element', '<p><i />{on ? <b>a</b> : "none"}</p>'],
  [
    'a text in a fragment instead of an element',
    '<p><i />{on ? <b /> : <>{user.name}<i /></>}</p>',
  ],
  ['an empty text instead of a text', '<p>Now{on ? ", here" : ""}</p>'],
])('finds %s', (_what, jsx) => expect(faultsIn(`const a = ${jsx};`)).toEqual(['a.tsx:1']));

test.each([
  ['a text that changes', '<p>{on ? "On" : "Off"} since {time}</p>'],
  ['a text alone', '<p>{on && "now"}</p>'],
  ['texts in elements of their own', '<p>{on && <b>near</b>}<span>{name}</span></p>'],
])('accepts %s', (_what, jsx) => expect(faultsIn(`const a = ${jsx};`)).toEqual([]));

// Translators put elements in place of text nodes, beside which React then can't insert and which it can't remove.
test('no text of a screen stands beside a condition', () => {
  const files = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' });
  const screens = files.filter((file) => file.endsWith('.tsx'));
  expect(screens.length).toBeGreaterThan(100);
  expect(
    screens.flatMap((file) => faultsIn(readFileSync(join(CLIENT, file), 'utf8'), file)),
  ).toEqual([]);
});
