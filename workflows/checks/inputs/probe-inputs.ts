import { pointerTo } from '../../model/json-pointer.ts';
import type { FormSurface, InputSurface, Surface } from '../../model/surface.ts';
import { isOfLogin, type Login, loginsOf } from '../logins/login.ts';
import { cookieInputs } from './cookie-inputs.ts';
import { encodedInputs } from './encoded-inputs.ts';
import { jsonWith } from './json-inputs.ts';
import { lastParts, namedPaths } from './path-inputs.ts';
import { formOf, isLoginForm } from './reading-requests.ts';
import { isOfConsole, statementFields } from './sql-consoles.ts';

/**
 * Inputs that are sent values of ours. The surface that checks are given has none that the write gate refuses; forms that let
 * somebody in are for the few checks that need one request or two.
 */
export function inputsToProbe(surface: Surface): InputSurface[] {
  const consoles = statementFields(surface);
  const named = namedPaths(surface);
  const routes = new Set([...named, ...surface.inputs.filter(({ in: place }) => place === 'path')].map(placeInPath));
  const asked = lastParts(surface).filter((input) => !routes.has(placeInPath(input)));
  const inputs = [...surface.inputs, ...named, ...cookieInputs(surface), ...asked].filter((input) => {
    if (isOfConsole(input, consoles) || isButton(input, surface.forms)) return false;
    if (input.parameter === '' || isOfLogin(input, surface.forms) || isRequestToken(input)) return false;
    if (input.method === 'GET') return input.in !== 'body';
    return input.method === 'POST' && ['body', 'header', 'cookie'].includes(input.in) && isEncodable(input);
  });
  return [...inputs, ...encodedInputs(inputs)];
}

/** The one button of its name, whose value is a label: programs look whether it is there, if at all. */
function isButton({ method, url, parameter, in: place, sample }: InputSurface, forms: readonly FormSurface[]): boolean {
  if (place !== 'query' && place !== 'body') return false;
  const own = forms.filter((form) => form.method === method && addressOf(form.action) === addressOf(url));
  const fields = own.flatMap((form) => form.fields.filter(({ name }) => name === parameter));
  return fields.length > 0 && fields.every(({ type, value }) => type === 'submit' && value === sample);
}

const addressOf = (url: string): string => url.replace(/[?#].*$/s, '');

const placeInPath = ({ url, parameter }: InputSurface): string =>
  `${parameter} ${new URL(url).pathname.split('/').slice(0, Number.parseInt(parameter, 10)).join('/')}`;

/** A token against forged requests, which its page gives anew: a request with another one is refused before it is read. */
const isRequestToken = ({ parameter, page }: InputSurface): boolean =>
  /csrf|xsrf|authenticity_?token|request_?verification|anti_?forgery/i.test(parameter) &&
  (page?.tokens.some((token) => 'field' in token && token.field === parameter) ?? false);

/** Of a kind that `inputAction` can write. */
const isEncodable = ({ contentType = '', xml, text }: InputSurface): boolean =>
  (xml ?? text) !== undefined ||
  /^(?:application\/(?:json|x-www-form-urlencoded)|multipart\/form-data)\b/.test(contentType);

/**
 * The user names of what lets somebody in, forms and JSON, for the few checks that need one request or two. The password is one that nobody
 * has, and the name has a nonce in it, so that nobody is locked out.
 */
export function loginNames(surface: Surface): InputSurface[] {
  const others = loginsOf(surface).filter(({ format, nameField }) => format !== 'fields' && nameField !== undefined);
  return [...namesInForms(surface), ...others.map(withWrongPassword)];
}

function withWrongPassword({ input, passwordField }: Login): InputSurface {
  const { json } = input;
  if (json)
    return {
      ...input,
      json: { ...json, body: jsonWith({ body: json.body, pointer: pointerTo(passwordField) }, wrong) },
    };
  return {
    ...input,
    others: input.others.map((other) => (other.name === passwordField ? { ...other, value: wrong } : other)),
  };
}

const wrong = '‹nonce9›';

function namesInForms(surface: Surface): InputSurface[] {
  return surface.inputs.flatMap((input) => {
    const form = input.method === 'POST' ? formOf(input, surface.forms) : undefined;
    if (!form || !isLoginForm(form)) return [];
    const types = new Map(form.fields.map(({ name, type }) => [name, type]));
    if (!/^(?:text|email|tel)$/.test(types.get(input.parameter) ?? '')) return [];
    const others = input.others.map((other) =>
      types.get(other.name) === 'password' ? { ...other, value: wrong } : other,
    );
    return [{ ...input, others }];
  });
}

/** What only script can send, that of the site or what stands in front of it: headers, cookies, and bodies of JSON or XML. */
export const sentByScript = ({ in: place, contentType = '', xml }: InputSurface): boolean =>
  place === 'header' ||
  place === 'cookie' ||
  (place === 'body' && (xml !== undefined || contentType.startsWith('application/json')));

/** Inputs that a link carries, or a page elsewhere can post for a visitor: nothing that only script sends, nor what asks for a token. */
export const carriedByOthers = (input: InputSurface): boolean =>
  !input.encoded && !sentByScript(input) && !(input.in === 'body' && input.page?.tokens.length);
