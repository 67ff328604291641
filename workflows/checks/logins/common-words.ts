/** Words that people take for keys and passwords, compiled by hand: names, things, products, and spellings of "secret". */
export const commonWords: readonly string[] = `
random secretkey privatekey publickey masterkey hashkey authkey apikey appkey jwtkey jwtsecret tokensecret
cookie cookies session salt pepper sugar spice hash cipher crypto encrypt decrypt signature sign signer verify
bearer access refresh login logout signup account accounts customer customers client clients member members
guest guests manager owner operator support staff employee company business office finance bank banking payment
payments invoice order orders cart checkout store market shopping product products catalog inventory warehouse
delivery shipping password1 passwd pass passphrase qwerty123 qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm 1q2w3e4r
1qaz2wsx iloveyou princess dragon monkey football baseball basketball soccer hockey master superman batman
spiderman ironman shadow sunshine whatever trustno1 starwars pokemon naruto matrix ninja samurai warrior wizard
hacker hunter hunter2 killer jordan michael michelle jennifer jessica ashley amanda nicole daniel andrew joshua
matthew robert thomas george charlie william richard maria anna laura julia martin david john peter paul james
alex max sam tom bob alice eve mallory trent carol dave computer internet network website webapp web site page
portal gateway service services microservice platform cloud docker container kubernetes cluster linux ubuntu
debian windows macos android iphone apple google amazon facebook twitter github gitlab netflix microsoft oracle
mysql postgres postgresql mongo mongodb redis sqlite mariadb elastic kafka rabbitmq nginx apache tomcat jetty
jboss wildfly weblogic jenkins grafana kibana prometheus java javascript typescript python ruby golang rust
kotlin scala swift php perl csharp dotnet aspnet blazor angular react vue svelte nextjs nuxt gatsby ember
backbone jquery meteor sails koa hapi fastify nest nestjs adonis feathers loopback strapi keystone graphql
apollo prisma sequelize typeorm mongoose knex hibernate symfony codeigniter cakephp yii slim lumen zend
wordpress drupal joomla magento prestashop shopify sinatra rack puma devise hanami tornado bottle pyramid
aiohttp fastapi starlette quart sanic celery airflow jupyter phoenix elixir erlang haskell gin echo fiber beego
revel actix rocket axum warp quarkus micronaut vertx play akka struts grails ktor todo todos todolist note notes
blog blogs post posts comment comments chat chats message messages forum board wiki news feed social friend
friends photo photos gallery image images video videos music movie movies book books bookstore library school
student students teacher course courses lesson exam quiz game games score player players team teams league event
events ticket tickets booking hotel travel flight flights car cars taxi bike food pizza burger coffee tea beer
wine recipe recipes restaurant kitchen health doctor patient clinic hospital pharmacy medical insurance lawyer
realestate house home garden animal animals pet pets cat cats dog dogs bird fish horse lion tiger bear wolf
eagle red green blue yellow orange purple black white silver gold golden diamond crystal platinum bronze iron
steel copper spring summer autumn winter january february march april may june july august september october
november december monday tuesday wednesday thursday friday saturday sunday morning evening night midnight today
tomorrow yesterday london paris berlin madrid rome moscow tokyo delhi mumbai sydney boston chicago dallas denver
houston miami seattle newyork california texas florida america england france germany spain italy russia india
china japan brazil canada mexico australia africa europe asia world global earth moon mars venus jupiter saturn
galaxy universe cosmos space star stars planet love peace freedom liberty justice honor truth faith hope charity
happy lucky smile angel devil heaven hell magic mystery dream dreams fantasy legend hero heroes king queen
prince knight castle tower bridge river ocean mountain forest island desert thunder lightning storm rain snow
fire flame water wind stone rock metal wood paper glass plastic rubber cotton leather alpha beta gamma delta
epsilon omega sigma zeta theta lambda zulu bravo tango foxtrot one two three four five six seven eight nine ten
hundred thousand million first second third last next previous main primary secondary backup temp temporary tmp
cache data database db sql query table column record value values string number integer boolean object array
json xml yaml html css config configuration setting settings option options env environment variable constant
static final public protected internal external system kernel core engine module plugin widget component helper
util utils tool tools toolkit framework sdk cli unsafe insecure secure safe weak strong hard easy simple complex
basic advanced pro premium free trial release version build deploy pipeline debug trace log logger logging
monitor metrics alert error warning info fatal unknown undefined null none nothing empty blank void placeholder
dummy fake mock stub fixture seed lorem ipsum asdf qwer zxcv aaaa bbbb xxxx zzzz fffff abcd abcdef abcdefg
abcdefgh abcdefghijklmnopqrstuvwxyz hello-world helloworld hello_world keyboardcat keyboard shh shhh shhhh
shhhhhhh ssh psst mum mom dad family baby bubbles cookie-monster chocolate vanilla banana cherry lemon mango
melon peach grape strawberry pineapple coconut tomato potato carrot onion garlic pepperoni cheese butter bread
cake candy honey jwt-secret-key jsonwebtoken json-web-token jwttoken jwt_token jwtauth jwt-auth authtoken
authsecret auth_token accesstoken access_token accesstokensecret access-token-secret refreshtoken refresh_token
refreshtokensecret refresh-token-secret sessionsecret session-secret session_secret cookiesecret cookie-secret
cookie_secret secret-token secret_token secrettoken sharedsecret shared-secret shared_secret clientsecret
client-secret client_secret app-secret app_secret appsecret api-secret api_secret apisecret encryptionkey
encryption-key encryption_key signingkey signing-key signing_key security-key securitykey security_key s3cr3t
s3cret secr3t sup3rs3cr3t supers3cret p4ssw0rd pa55word pa$$w0rd pass123 password123 admin123 root123 test123
user123 secret123 changethis change-this change_this changeit please-change pleasechange tobechanged
to-be-changed fixme todo-change dontuseinproduction do-not-use-in-production not-for-production not-so-secret
notsosecret unsecure very-secret very_secret verysecretkey ultra-secret ultrasecret mega-secret extremely-secret
top-secret top_secret hush confidential classified restricted
`
  .trim()
  .split(/\s+/);
