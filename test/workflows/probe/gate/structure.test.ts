import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kindOfForm } from '../../../../workflows/probe/gate/structure.ts';
import { parsePage } from '../../../../workflows/survey/page.ts';

const test = suite('forms by their structure');

const kindOf = (html: string): string => {
  const [form] = parsePage(html, 'https://shop.example/page').forms;
  return form ? kindOfForm(form).kind : 'no form';
};

const kinds: Record<string, readonly string[]> = {
  reads: [
    '<form action=/oauth/authorize><input type=hidden name=client_id value=a><input type=hidden name=response_type value=code><button>Sign in with the desk</button></form>',
    '<form method=post action=/s role=search><input name=anything></form>',
    '<form method=post action=/><input type=search name=x></form>',
    '<form method=post action=/><input name=q></form>',
    '<form method=post action=/catalogue/search><input name=title><input name=author></form>',
    '<form method=post action=/list><select name=brand></select><select name=sort></select><button>Filter</button></form>',
    '<form method=post action=/loan><input name=sum type=number><input name=years><button>Calculate</button></form>',
    '<form method=post action=/lost-and-found/search><input name=q></form>',
    '<form method=post action=/forgotten-books><input type=search name=title></form>',
    '<form method=post action=/tools/convert><textarea name=text></textarea><button>Go</button></form>',
    '<form action=/page><select name=film><option>1</select><button name=action value=go>Go</button></form>',
    '<form method=post action=/><input name=такое type=search><button>Найти</button></form>',
    '<form action=/find><input name=q><button>Submit</button></form>',
    '<form method=post action=/find role=search><input name=x><button>Senden</button></form>',
    '<form action=/list><input type=search name=q><button>Search</button><button name=clear value=1>Clear</button></form>',
  ],
  login: [
    '<form method=post action=/account/login><input name=user><input type=password name=pass></form>',
    '<form method=post action=/vault><input type=password name=secret><button>Open</button></form>',
    '<form method=post action=/locker><input type=hidden name=box value=4><input name=pin maxlength=4><button>Enter</button></form>',
    '<form method=post action=/><input type=email name=mail><input type=password name=p><button>Sign in</button></form>',
    '<form method=post action=/door><input name=username><input type=password name=password><button>Enter</button></form>',
    '<form method=post action=/go><input name=user><input type=password name=pass><button>Let me in!</button></form>',
    '<form method=post action=/members.php><input name=name><input type=password name=word><button>Come in</button></form>',
    '<form method=post action=/signin/check><input name=email type=email><input type=password name=pass><button>Continue</button></form>',
    '<form method=post action=/door><input name=user><input type=password name=pass autocomplete=current-password><input type=submit></form>',
    '<form method=post action=/door><input name=user><input type=password name=pass><input type=checkbox name=remember_me><button>Enter</button></form>',
  ],
  sensitive: [
    '<form method=post action=/me/mail><input name=email value=kim@quay.example><button>OK</button></form>',
    '<form method=post action=/me/mail><input name=email><button>Change e-mail</button></form>',
    '<form method=post action=/profile/mail><input type=email name=address><button>OK</button></form>',
    '<form method=post action=/door><input name=user><input type=password name=pass><input type=checkbox name=terms><button>Enter</button></form>',
    '<form method=post action=/users><input name=username><input type=password name=password><button>Enter</button></form>',
    '<form method=post action=/door><input name=username><input type=password name=new_password><button>Enter</button></form>',
    '<form method=post action=/door><input name=username value=anna><input type=password name=password><button>Enter</button></form>',
    '<form method=post action=/door><input name=username><input name=role><input type=password name=password><button>Enter</button></form>',
    '<form action=/profile><input type=password name=password_new><button>Change</button></form>',
    '<form method=post action=/register><input name=user><input type=password name=pass></form>',
    '<form method=post action=/apply><input type=file name=letter><input name=email><textarea name=why></textarea></form>',
    '<form method=post action=/x><input name=a autocomplete=new-password></form>',
    '<form method=post action=/x><input name=cc_number><input name=name></form>',
    '<form method=post action=/x><input name=newPassword></form>',
    '<form method=post action=/profile><input name=first><input name=last><input name=email></form>',
    '<form method=post action="/enter.php?action=lostpassword"><input name=user><button>Get New Password</button></form>',
    '<form method=post action=/members/forgotten><input name=nick></form>',
    '<form method=post action=/members><input name=nick><button>Get new pass</button></form>',
    '<form method=post action=/enter><input type=hidden name=do value=newpwd><input name=nick></form>',
    '<form method=post action=/zugang><input name=name><button>Neues Passwort anfordern</button></form>',
    '<form method=post action=/mot-de-passe-oublie><input name=identifiant></form>',
    '<form method=post action=/a><input name=n><button>Восстановить пароль</button></form>',
    '<form method=post action=/b><input name=n><button>パスワードを再設定</button></form>',
  ],
  upload: [
    '<form method=post action=/search><input name=q><input type=file name=photo></form>',
    '<form method=post action=/photos><input type=file name=photo><textarea name=about></textarea><button>Upload</button></form>',
  ],
  message: [
    '<form method=post action=/contact><input type=email name=from><textarea name=text></textarea></form>',
    '<form method=post action=/news><input name=email><button>OK</button></form>',
    '<form method=post action=/call><input type=tel name=number></form>',
    '<form method=post action=/x><input name=subject><textarea name=text></textarea><button>Send</button></form>',
    '<form method=post action=/x><input name=recipient><textarea name=text></textarea><button>OK</button></form>',
  ],
  'would-act': [
    '<form method=post action=/shelf><input type=hidden name=shelf value=7><input type=hidden name=shelf_rename value=true><input name=label><button>Go</button></form>',
    '<form method=post action=/shelf><input type=hidden name=shelf_copy value=true><input name=label><button>Go</button></form>',
    '<form method=post action=/shelf><input type=hidden name=removeShelf value=1><input name=label><button>Go</button></form>',
    '<form method=post action=/card><input name=link><button>Make payment</button></form>',
    '<form method=post action=/card><input name=holder><button>Make card</button></form>',
    '<form method=post action=/tools/7><input name=value><button>Execute</button></form>',
    '<form method=post action=/reviews/7><input name=note><button>Ping</button></form>',
    '<form method=post action=/hosts/7><input type=hidden name=host value=a><button>Ping</button></form>',
    '<form method=post action=/hosts><input name=host><button>Delete</button></form>',
    '<form action=/tools/7><input type=hidden name=value value=4><button>Execute</button></form>',
    '<form action=/page><select name=film></select><button>Delete</button></form>',
    '<form action=/list><input type=hidden name=op value=delete><input name=q></form>',
    '<form method=post action=/search><input name=q><input type=hidden name=_method value=delete></form>',
    '<form method=post action=/items/3><button>Remove</button></form>',
    '<form method=post action=/invite><input name=guest><button>Delete</button></form>',
    '<form method=post action=/invite><input type=hidden name=guest value=7><button>Invite</button></form>',
    '<form method=post action=/items/3/remove><input name=q></form>',
    '<form method=post action=/cart><button name=action value=checkout>Next</button></form>',
    '<form method=post action=/mails/3><input type=hidden name=id value=3><button>Send</button></form>',
    '<form method=post action=/rows><input type=hidden name=id value=3><button>Delete</button><button>Archive</button></form>',
    '<form method=post action=/drafts/3><input type=hidden name=id value=3><button>Submit</button></form>',
    '<form method=post action=/mails/3><button>Send</button></form>',
    '<form method=post action=/tasks/3><input type=hidden name=id value=3><button>Finish</button></form>',
    '<form method=post action=/checkout/3><input name=note><button>Complete order</button></form>',
    '<form method=post action=/cart/checkout><button>Submit</button></form>',
    '<form method=post action=/jobs/3><button>Apply</button></form>',
  ],
  adds: [
    '<form method=post action=/news><input name=q><button>Subscribe</button></form>',
    '<form method=post action=/tracks><input type=file name=track><button>Import</button></form>',
    '<form method=post action=/week><input type=file name=photo><button>Send my photo</button></form>',
    '<form method=post action=/wall><input type=hidden name=action value=write><textarea name=words></textarea><button>Write</button></form>',
    '<form method=post action=/lamps/show><textarea name=words></textarea><button>Write comment</button></form>',
    '<form method=post action=/build/3><input type=hidden name=so_far value=eyJzaGFwZSI6ICJyb3VuZCIsICJ3aWR0aCI6IDF9><select name=colour><option>red</select><button>Finish</button></form>',
    '<form method=post action=/build/3><input name=engraving><button>Finish</button></form>',
  ],
  bare: [
    '<form method=post action=/case/7><input type=submit value=Submit></form>',
    '<form method=post action=/case/7><button name=go value=Submit>Submit</button></form>',
  ],
  'ends-session': ['<form method=post action=/account><button>Log out</button></form>'],
  credential: [
    '<form method=post action=/keys/save><input name=description required><button>Save</button></form>',
    '<form method=post action=/settings/api-tokens><input name=label><button>Go</button></form>',
    '<form method=post action=/me/personal_access_tokens/new><input name=name></form>',
    '<form method=post action=/repo/7/webhooks><input name=target></form>',
    '<form method=post action=/settings><input name=label><button>Generate new token</button></form>',
  ],
  sets: [
    '<form method=post action=/admin/tags/change-separator><input type=hidden name=token value=a1b2><input name=separator><input type=submit name=saveseparator value=Save></form>',
    '<form method=post action=/shop/admin/set_footer><textarea name=words></textarea><button>Save</button></form>',
  ],
  keeps: [
    '<form method=post action=/admin/pages/save><input type=hidden name=id value=7><textarea name=words></textarea></form>',
    '<form method=post action=/admin/pages/7/update><textarea name=words></textarea></form>',
    '<form method=post action=/category/save><input name=title required><button>Save</button></form>',
    '<form method=post action=/keys/save/notes><textarea name=text></textarea></form>',
    '<form method=post action=/guestbook><input name=txtName><textarea name=mtxMessage></textarea></form>',
    '<form method=post action=/search/save><input name=q></form>',
    '<form method=post action=/xss_s><input name=name><textarea name=message></textarea></form>',
    '<form method=post action=/book><input name=who><textarea name=words></textarea><input type=submit name=sign value="Sign"><input type=submit name=clear value="Clear"></form>',
    '<form method=post action=/book><textarea name=words></textarea><button formaction=/book/delete>Remove</button><button>Sign</button></form>',
  ],
  unknown: [
    '<form method=post action=/shelf><input type=hidden name=rename value=7><input type=hidden name=allow_move value=0><input name=label><button>Go</button></form>',
    '<form method=post action=/card><input type=url name=link value=https://a.example/><button>Make card</button></form>',
    '<form method=post action=/visit><input name=name><button>Get a pass</button></form>',
    '<form method=post action=/token><input name=code></form>',
    '<form method=post action=/tokens/measure><input name=value><button>Count tokens</button></form>',
    '<form method=post action=/network><input name=host><button>Ping</button></form>',
    '<form method=post action=/tools><input name=ip value=127.0.0.1><button>Execute</button></form>',
    '<form action=/tools/7><input name=value><button>Execute</button></form>',
    '<form method=post action=/orders><input name=amount></form>',
    '<form method=post action=/xss_s><input name=name></form>',
    '<form method=post action=/x><input name=given><button>Send</button></form>',
    '<form method=post action=/x><select name=language></select><select name=sort></select><button>Apply</button></form>',
    '<form method=post action=/x><input name=query value=lamps><input name=country value=NO><button>Apply</button></form>',
    '<form action=/poll><select name=choice></select><button>OK</button></form>',
    '<form method=post action=/page><select name=film></select></form>',
    '<form action=/shout><input name=say><button>Shout</button></form>',
    '<form action=/wlan><input name=ssid value=Home><button>Submit</button></form>',
    '<form action=/euro><input name=value type=number><input type=hidden name=apply value=1><button>OK</button></form>',
    '<form action=/x><input type=hidden name=article value=4><input name=given><button>Submit</button></form>',
    '<form action=/comments/new.jsp/x><input name=given><button>Submit</button></form>',
    '<form action=/wall><input name=message><button>Submit</button></form>',
    '<form action=/x><input name=poll><button>Submit</button></form>',
    '<form action=/x><input name=title><input name=price><input name=a><input name=b><input name=c><input type=submit></form>',
  ],
  asks: [
    '<form action=case7.jsp><input name=userinput><input type=submit value=Submit></form>',
    '<form action=/ping><input name=address><input type=submit></form>',
    '<form action=/page><select name=film></select><input name=hall></form>',
    '<form action=/page><input type=hidden name=lang value=en><input name=target><button>OK</button></form>',
  ],
};
for (const [kind, forms] of Object.entries(kinds))
  for (const html of forms) test(`${html} is "${kind}"`, () => assert.is(kindOf(html), kind));

test('a form that says nothing of itself is a login on the page of a login', () => {
  const form =
    '<form method=post action=/check><input name=user><input type=password name=pass><button>Go</button></form>';
  const kindAt = (path: string) => {
    const [found] = parsePage(form, `https://shop.example${path}`).forms;
    return found && kindOfForm({ ...found, pageUrl: `https://shop.example${path}` }).kind;
  };
  assert.is(kindAt('/login.php'), 'login');
  assert.is(kindAt('/welcome'), 'entrance');
  assert.is(kindAt('/register/login'), 'sensitive');
});

test('a secret under a heading is a text that somebody keeps; elsewhere it may let somebody in', () => {
  const kindOf = (fields: string, path = '/notes') => {
    const [form] = parsePage(
      `<form method=post action=${path}>${fields}<button>OK</button></form>`,
      'https://hall.example/',
    ).forms;
    return form && kindOfForm(form).kind;
  };
  const title = '<input name=book_title>';
  const secret = '<input name=secret>';
  for (const fields of [title + secret, '<input name=subject><textarea name=secretNote></textarea>'])
    assert.ok(['keeps', 'unknown'].includes(kindOf(fields) ?? ''), fields);
  for (const fields of [
    secret,
    `${title}${secret}<input name=pin>`,
    `${title}<input name=secret autocomplete=one-time-code>`,
  ])
    assert.is(kindOf(fields), 'sensitive', fields);
  for (const fields of [
    `<input name=name>${secret}`,
    `${title}<input type=password name=secret>`,
    `${title}<input name=client_secret>`,
  ])
    assert.is(kindOf(fields), 'entrance', fields);
  assert.is(kindOf(title + secret, '/account/settings'), 'sensitive');
});

test('an address that stands in a field already is that of an account, unless it is just sent', () => {
  const kindOf = (path: string, label: string, fields = '<input name=mail value=kim@quay.example>') => {
    const [form] = parsePage(
      `<form method=post action=${path}>${fields}<button>${label}</button></form>`,
      'https://hall.example/',
    ).forms;
    return form && kindOfForm(form).kind;
  };
  assert.is(kindOf('/desk/4', 'Send'), 'addressed');
  assert.is(kindOf('/desk/4', 'OK'), 'sensitive');
  assert.is(kindOf('/desk/4', 'Save'), 'sensitive');
  assert.is(kindOf('/account/4', 'Send'), 'sensitive');
  assert.is(kindOf('/desk/4', 'Send', '<input name=mail>'), 'message');
});

test('what a program with one address is asked for says what its forms are for, too', () => {
  const asked = (part: string): string => {
    const form = '<form method=post><input name=user><input type=password name=pass><button>Go</button></form>';
    const [first] = parsePage(form, `https://hall.example/?p=${part}`).forms;
    return first ? kindOfForm(first).kind : 'no form';
  };
  assert.equal([asked('login'), asked('register'), asked('apply')], ['login', 'sensitive', 'sensitive']);
});

test('a form of the first page that says nothing of itself is a login where the name is that of an account', () => {
  const kindAt = (path: string, name: string) => {
    const form = `<form method=post><input name=${name}><input type=password name=pass><input type=submit value=OK></form>`;
    const [found] = parsePage(form, `https://shop.example${path}`).forms;
    return found && kindOfForm({ ...found, pageUrl: `https://shop.example${path}` }).kind;
  };
  assert.is(kindAt('/', 'login'), 'login');
  assert.is(kindAt('/index.php', 'uname'), 'login');
  assert.is(kindAt('/', 'email'), 'entrance');
  assert.is(kindAt('/club/', 'login'), 'entrance');
});

test.run();
