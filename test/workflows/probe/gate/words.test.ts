import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readAddress } from '../../../../workflows/probe/gate/urls.ts';
import { actingInLabel, actingInName } from '../../../../workflows/probe/gate/words.ts';

const test = suite('words for what acts');

const paths = (text: string): string[] => text.trim().split(/\s+/);
const isRefused = (path: string): boolean => {
  const { acting, token } = readAddress(`https://shop.example/${path}`);
  return acting !== undefined || token !== undefined;
};

const acting = paths(`
  close/5 basket.php?add=12 index.php?q=node/5/delete l?trash=7 v?like=1 devices/2/forget 2fa/off artikelentfernen/3
  sakujo?id=1 diagrafi?id=3 udalit?id=3 shanchu?id=3 svuotacarrello apagarconta?id=2 featurepost/11 like.php?id=5
  transfer?to=7 exec?cmd=ls x?close deleteuser?id=1 del.php?id=1 removeitem/3 page?do=del comments/4/unapprovecomment
  unapprovecomment?c=4 addresses/1/default_for_billing/ makeadmin/1 logoutnow bye account/goodbye quit excluir/3 usun/3 удалить/3 削除/3
  u/удалить?id=2 x?action=approve&id=4 index.php?option=com_x&task=remove&cid=3 index.php?r=site/logout index.php?page=logout products/5/order posts/7/like cart/add/5
  cart/add?id=3 set-default/3 setdefault?id=2 user/5/ban a/b/log-off account/session/destroy admin/cache/flush item/5/löschen
  kommentare/freischalten/3 supprimer-compte?id=3 borrar/5 eliminar.php?id=3 comprar/3 pagar?id=2 verwijderen/4 radera/5
  slett/5 poista/5 smazat/3 odstranit/3 torles/3 sterge/3 sil/3 iptal?id=3
  διαγραφή/3 видалити/3 изтрий/3 xóa/3 hapus/3 删除/4 삭제/3 ลบ/3
  حذف/3 מחק/3 हटाएं/3 page?delete=5 page?del=4 cart?remove_item=3 cart?empty_cart mail/send?id=4
  sendMail.jsp?to=3 users/5/promote users/3/toggle tasks/3/done orders/9/cancel invite/send/3 votes/up?id=3&vote=1 newsletter/unsubscribe?u=3
  approve.php?c=3 x?cmd=publish&id=4 wiki/page?do=revert&rev=3 backup/restore/4 user_delete.php?id=4 UserController/removeUser/3 ajax_delete_item?id=3 cart/checkout?pay=1
  addtocart?id=4 add-to-cart/5 set-password?user=3 reset?confirm=1 resetdb switch-user/3 banuser/3 buynow/5
  board.php?action=collapse&board_id=3 ?do=expandAll&id=4 delmsg?id=3 i?c=entry&id=7&is_read=0 note?id=7&markAsDone=true posts/3/mark-as-read 删除用户/5 admin/users/5/remove%55ser
`);
test('a command that marks what is shown, or says that it does something, acts; what is called after marks does not', () => {
  const acts = paths(
    'i?c=configure&a=bookmarkQuery&get=7 ?c=View&action=doTasksImport&project_id=2 x?do=star_item x?cmd=archive-thread',
  );
  assert.equal(
    acts.map(isRefused),
    acts.map(() => true),
  );
  const shown = paths('i?a=bookmarkList x?a=starView x?action=archiveForm x?do=doSearch x?action=voteResults x?a=do');
  assert.equal(shown.filter(isRefused), []);
});

test('addresses that act are known, glued, in files, parameters and commands', () => {
  assert.equal(
    acting.filter((path) => !isRefused(path)),
    [],
  );
});

const onAThing = paths(`
  form/clone?uuid=fff20294-5d95-4502-9f15-692aec2aa959 feeds/recheck?feed_id=7 hosts/3/rescan devices/3/unpair jobs/resolve?jobId=12
  form/checknow?id=4 index.php?action=markasread;topic=12 index.php?action=splittopics;topic=3 form/mark-all-viewed
  albums/3/set-cover/33 gallery.php?action=set_as_cover&pic=7 gallery.php?action=add_to_collection&pic=7 ajax/togglereadstatus/3
  visits/12/check_in visits/12/no-show ticket/takeover?id=7 jobs/5/reprint trash/emptytrash star/14 user.php?action=addfavorite&tid=3
`);
test('verbs beside a parameter that names a thing act as behind it, and so do marks and parameters behind semicolons', () => {
  assert.equal(
    onAThing.filter((path) => !isRefused(path)),
    [],
  );
  const shown = paths(`
    book?id=7 post.php?id=7 request?id=3 clone clones?page=2 history?id=7 search?q=a;b=c marketing?id=3 markets/asia settings/3 address?id=7
    addition?id=4 api/tasks?expand=comments ?action=collapsed i?is_read=0 i?feed_id=7&is_read=0 note?id=7&is_read=9 play.php?page=3 rename-guide?id=3 wiki/star stars?id=3
  `);
  assert.equal(shown.filter(isRefused), []);
});

test('what is destroyed is no subject of a page, whatever it is called', () => {
  const acts = paths(
    'clear_history delete_review?id=3 delete-course/3 removeVideo.php?id=2 reset_statistics publish-news?id=3 send_news unpublish_lesson/2',
  );
  assert.equal(
    acts.filter((path) => !isRefused(path)),
    [],
  );
  const shown = paths(
    'order-history cancel-policy refund-policy delete-account-guide how-to-delete-a-review help/delete-review reset-button empty-bars drop-zone review/3',
  );
  assert.equal(shown.filter(isRefused), []);
  const labels = ['Clear all history', 'Delete review', 'Remove video', 'Reset statistics', 'Send news'];
  assert.equal(
    labels.filter((label) => actingInLabel(label) === undefined),
    [],
  );
  assert.is(
    actingInLabel('Refund policy') ?? actingInLabel('Order history') ?? actingInLabel('Delete guide'),
    undefined,
  );
});

test('a control that marks things or does something now acts', () => {
  const said = (label: string) => actingInLabel(label) !== undefined;
  assert.equal(
    ['Mark all messages as read', 'Mark all viewed', 'Toggle mark as read', 'Recheck', 'Check now'].filter(said).length,
    5,
  );
  assert.equal(['Read now', 'Marketing', 'Mark Twain', 'Markus as author', 'Read all'].filter(said), []);
});

const inOtherLanguages = paths(`
  articles/7/löschen beitrag/freigeben/3 konto/kündigen?id=1 bestellung/stornieren/9 commentaires/3/approuver panier/vider?x=1 compte/désactiver/4 pedido/5/cancelar
  usuario/eliminar/3 publicar?id=4 pedidos/3/excluir conta/apagar/2 carrello/svuota?x=1 ordine/annulla/4 bestelling/annuleren/3 reactie/goedkeuren/5
  inlägg/radera/3 kommentar/godkänn/3 innlegg/slett/3 ordre/annuller/3 viesti/poista/3 tilaus/peruuta/2 komentarz/zatwierdź/3 zamówienie/anuluj/3
  wpis/usuń/3 příspěvek/smazat/3 komentář/schválit/3 príspevok/odstrániť/4 hozzászólás/törlés/3 comentariu/aprobă/3 șterge/3 komentar/obriši/4
  sipariş/iptal/3 yorum/onayla/4 hesap/sil/4 заказ/отменить/4 комментарий/одобрить/4 запис/видалити/4 публикация/изтрий/4 ανάρτηση/διαγραφή/3
  σχόλιο/έγκριση/3 bài/xóa/3 tulisan/hapus/3 komentar/setujui/3 評論/删除/3 订单/取消/3 コメント/承認/3 注文/取り消し/3
  댓글/승인/3 주문/취소/3 ความเห็น/ลบ/3 مقال/حذف/3 תגובה/מחק/3 टिप्पणी/हटाएं/3
`);
test('addresses that act are known in the languages of most sites', () => {
  assert.equal(
    inOtherLanguages.filter((path) => !isRefused(path)),
    [],
  );
});

const harmless = paths(`
  exec/ import/ publications eliminatorias installers publicaciones ordinance login?next=/logout
  node?q=docs/start wissen transfer transfers/3 setup/guide delivery payments-explained senders
  address addresses/5 preset presets/4 catalog/orderly reorder-guide order/17 orders/17
  orders order-status feature-list payments/3 payment-methods archive/2024 report/5 reports/sales?year=2023 order-history order?sort=asc
  list?order=asc list?orderby=name removed-items removals delegates deleted paypal-explained sendinblue-review
  buyers-guide buyer/4 paying-guests installers installment-plans publishing publishers/4 publisher/4
  invitation/3 inviting cancellation-policy confirmation-letters approval-process blocked blocks/5 banner/3
  bandana bank/3 banks likely likes followers/3 settings setup-guide
  settlement set/5 sets/4 makers/3 makeup addendum additions/3 editors
  editorial dropdown droplets clearance clearing cleaning-tips purgatory resets
  resettlement killarney killers execution executive/3 importance importers imports/4
  exports exit-poll bye-bye-birdie goodbyes/4 quit-smoking log-in blogout-party catalogout signature/4 user/3 users/5
  profile/edit notes/5/edit posts/new items/5/view products?page=2 search?q=delete search?q=logout p?id=5
  page?view=list index.php?page=products articles/5/read feature/12 star-wars pinterest-review markets/3 joint-ventures
  leaves/3 leaf/3 resortinfo close-up-photos transferable ordering delhi/3 delta
  pay-scale-explained buyout-news subscribers/3 subscription-plans compras/historial cancelar-faq eliminatorias/2024 удаленная-работа
  lo-mejor send-off-party-stories how-to-delete-cookies delete-key-explained restaurant/4 restoration voters/3
`);
test('code in the place of a segment names no command, and the segments around it do', () => {
  const code = [
    'String(5*7).padStart(20,0)',
    "'%2BString(5*7).padStart(20%2C0)%2B'",
    encodeURIComponent('<esi:assign name="x" value="1"/>'),
    'start*2',
  ];
  for (const each of code) {
    assert.is(isRefused(`feed/${each}/entry/12`), false, each);
    assert.is(isRefused(`feed/12/${each}`), false, each);
    assert.is(isRefused(`feed/${each}/delete`), true, each);
    assert.is(readAddress(`https://shop.example/feed/${each}`).mild, undefined, each);
  }
  assert.ok(isRefused("feed/Delete('a')") && isRefused('feed/12/start'));
});

test('addresses that only look like it are none', () => {
  assert.ok(harmless.length >= 60);
  assert.equal(harmless.filter(isRefused), []);
});

test('what hides, shows, folds or sorts a part of the view does not act', () => {
  const views = paths(`
    list?hide_completed=1 x?action=hide_sidebar x?do=toggleSidebar sidebar/hide toggle-menu page?show=archived
    inbox?collapse=sidebar board?action=expand-all list?cmd=hideColumns shop/orders?_hide_sql=1 report?hide-query=true
  `);
  assert.equal(views.filter(isRefused), []);
  for (const label of [
    'Hide sidebar',
    'Show as list',
    'Hide completed',
    'Expand all',
    'Collapse details',
    'Toggle menu',
    'Sort by name',
  ])
    assert.is(actingInLabel(label), undefined, label);
  const commands = paths('posts/3/hide x?action=hide&id=4 users/3/toggle hidecomment?c=4');
  assert.equal(
    commands.filter((path) => !isRefused(path)),
    [],
  );
  for (const label of ['Hide', 'Hide this comment', 'Toggle user']) assert.ok(actingInLabel(label), label);
});

test('what stops or starts everything, or one thing that runs, is known, and a page on stops is not', () => {
  const commands = paths('index?action=stopall x?cmd=startall server/stop-server services/stop_all jobs/7/stop');
  assert.equal(
    commands.filter((path) => !isRefused(path)),
    [],
  );
  for (const label of ['Stop All', 'Stop', 'Start server', 'Pause all']) assert.ok(actingInLabel(label), label);
  for (const label of ['Bus stops', 'Start here', 'Start', 'Non-stop music']) assert.not(actingInLabel(label), label);
  assert.equal(paths('bus-stops stop/12 start run-history stopwords').filter(isRefused), []);
});

test('one-time tokens are distinguished from other values', () => {
  const withToken = paths(`
    post.php?_wpnonce=3f2a9c71de doku.php?sectok=0123456789abcdef item?csrf_token=abcd1234 x?authenticity_token=Zm9vYmFy
    mod?sesskey=Ab12Cd34Ef x?formhash=1a2b3c4d index.php?0123456789abcdef0123456789abcdef=1 x?hash=5d41402abc4b2a76
    usercp.php?my_post_key=8c1f2b7d post.php?meta-box-nonce=4b87012ef8 x?pwg_token=5be0ff4b2a2e4b3f9a01 desk?ChallengeToken=Zq81LkT0
    note/select_view?_authenticator=4ec3fcee9c4373cceb01
  `);
  assert.equal(
    withToken.filter((path) => !isRefused(path)),
    [],
  );
  const without = paths(
    'list?page_token=CAUQAA order?order_id=5 orders/order_id/7 x?blockId=3 x?p_p_lifecycle=0 list?cursor=abc123def456 img?expires=17 list?continuation_token=abc x?authenticator=totp',
  );
  assert.equal(without.filter(isRefused), []);
});

test('a number of a thing whose name is a verb as well is no command, and one of what only acts is', () => {
  const names = paths(
    'invoice?order_id=5 invoice?orderId=5 sales/view/order_id/5/ x?report_key=7 x?transferId=2 log?user_action=view',
  );
  assert.equal(names.filter(isRefused), []);
  const commands = paths(
    'x?delete_id=5 x?move_id=4 x?del_id=5 x?cancelId=9 x/trashId/5 x?p_p_lifecycle=1&id=2 users/signInAsUser/5 note/status?workflow_action=retract',
  );
  assert.equal(
    commands.filter((path) => !isRefused(path)),
    [],
  );
});

test('what ends a session is distinguished from what acts otherwise', () => {
  for (const name of ['logout', 'logoutnow', 'userLogout', 'sign-out', 'Abmelden', 'выйти', 'ログアウト'])
    assert.is(actingInName(name)?.code, 'ends-session', name);
  for (const name of ['delete', 'usuń', '削除']) assert.is(actingInName(name)?.code, 'would-act', name);
});

test('a label is a command when it is short and has an object, and a headline otherwise', () => {
  const commands = [
    'Delete',
    'Delete this note',
    'Add to cart',
    'Approve',
    'Notiz löschen',
    'Удалить',
    '削除する',
    'Log out',
  ];
  for (const label of commands) assert.ok(actingInLabel(label), label);
  for (const label of [
    'Kill Bill',
    'How to delete a cookie in five easy steps',
    'Order history',
    'News',
    'Delivery times',
  ])
    assert.is(actingInLabel(label), undefined, label);
});

test('an action that an address names by its identifier is one', () => {
  for (const each of [
    'api/rows/actions/?id=delete_marks&list=1',
    'commands?name=removeAll',
    'actions.php?action_id=purge-old',
  ])
    assert.ok(readAddress(`https://shop.example/${each}`).acting, each);
  for (const each of [
    'api/rows/actions/?list=1',
    'actions?id=export_rows_view',
    'actions?id=17',
    'articles?id=delete_marks',
  ])
    assert.is(readAddress(`https://shop.example/${each}`).acting, undefined, each);
});

test.run();
