import { Navigate, useLocation, useMatch } from 'react-router-dom';
import { AddFriendPage } from '../friend-links/add-friend-page.tsx';
import { PersonPage } from './person-page.tsx';

/** The screens below `/people`: profiles, and the friend links that lead to them. */
export default function PeoplePages() {
  const link = useMatch('/people/add/:token');
  const { pathname, search } = useLocation();
  const person = useMatch('/people/:userId');
  if (link) return <AddFriendPage path={pathname + search} />;
  if (person) return <PersonPage userId={person.params.userId ?? ''} />;
  return <Navigate to="/social" replace />;
}
