import { ButtonLink } from '../ui/button.tsx';
import { PublicPage } from '../ui/public-page.tsx';

export default function AdvertiserSoonPage() {
  return (
    <PublicPage title="Advertise With Us">
      <div className="mx-auto flex max-w-md flex-col items-center gap-5 py-12 text-center">
        <h1 tabIndex={-1} className="text-3xl font-extrabold">
          Advertising is not open yet
        </h1>
        <p className="text-soft">
          We are still getting the places for local businesses ready. Come back soon: signing up
          will happen right here.
        </p>
        <ButtonLink to="/" look="secondary">
          Back to the start
        </ButtonLink>
      </div>
    </PublicPage>
  );
}
