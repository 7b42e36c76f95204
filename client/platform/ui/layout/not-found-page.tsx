import { Illustration } from '../../illustrations/illustration.tsx';
import { ButtonLink } from '../buttons/button.tsx';
import { PublicPage } from './public-page.tsx';
import { Screen } from './screen.tsx';

/** @param home where one can go on */
function NotFound({ home }: { home: string }) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-5 py-12 text-center">
      <Illustration name="lost" />
      <h1 tabIndex={-1} className="text-3xl font-bold">
        Page not found
      </h1>
      <p className="text-soft">
        There’s no page at this address. It may have moved, or the link may have a typo.
      </p>
      <ButtonLink to={home}>Back to the start</ButtonLink>
    </div>
  );
}

/** What a screen says whose address leads nowhere. */
export const NotFoundScreen = () => (
  <Screen title="Page not found" className="px-4">
    <NotFound home="/home" />
  </Screen>
);

/** The same for visitors. */
export const NotFoundPage = () => (
  <PublicPage title="Page not found">
    <NotFound home="/" />
  </PublicPage>
);
