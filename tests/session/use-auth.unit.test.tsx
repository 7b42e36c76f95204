import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { useAuth } from '../../client/platform/session/use-auth.tsx';

function Name() {
  return <p>{useAuth().user?.name}</p>;
}

it('useAuth throws outside its provider', () => {
  expect(() => renderToString(<Name />)).toThrow('useAuth must be used within a AuthProvider');
});
