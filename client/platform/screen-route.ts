import { createElement, type ComponentType, type ReactNode } from 'react';
import { matchRoutes } from 'react-router-dom';
import { lazyScreen } from './lazy/lazy-component.tsx';

/** The parameters in the pattern of a path: `{ walkId: string }` in `/walks/:walkId`. */
type ParametersOf<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? ParametersOf<First> & ParametersOf<Rest>
  : Path extends `:${infer Name}`
    ? Record<Name, string>
    : object;

/** A row of the route table: the visitors' are in `client/app/routes.tsx`, the members' in the features. */
export interface ScreenRoute {
  path: string;
  Screen: ComponentType<Record<string, string>>;
}

/** @param Screen takes the parameters of the path as properties */
export const screenRoute = <const Path extends `/${string}` | '*'>(
  path: Path,
  Screen: ComponentType<ParametersOf<Path>>,
): ScreenRoute => ({ path, Screen: Screen as ComponentType<Record<string, string>> });

/** As `screenRoute`, for a screen that is loaded when it is opened. */
export const lazyRoute = <const Path extends `/${string}`>(
  path: Path,
  load: () => Promise<{ default: ComponentType<ParametersOf<Path>> }>,
): ScreenRoute => screenRoute(path, lazyScreen(load));

/** Returns the screen at a path; null if there is none. */
export function screenAt(routes: ScreenRoute[], pathname: string): ReactNode {
  const match = matchRoutes(routes, pathname)?.[0];
  return match ? createElement(match.route.Screen, match.params as Record<string, string>) : null;
}
